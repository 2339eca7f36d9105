/// An accepted action, from `execute` to its end.
///
/// `perform`, `executeInSequence` and `execute(_:mode:)` make one when they accept the action. For a plain `execute` the engine
/// makes one when it takes the action out of the queue. The object is its own key: a cancellation names it, its lane links it to
/// its neighbours, and its effect addresses events to it.
@usableFromInline
// Sendable: a lock or the driver guards each group of properties, as said there.
final class ActionRun<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Lane = ActionLane<Action, State>

  /// How far the action has come.
  @usableFromInline
  enum Stage {
    /// Accepted, without a place in a lane.
    case queued
    /// In its lane, behind others or until its quiet time is over.
    case waiting
    /// The streams have announced it, or are about to. Its effect is being made or is at work.
    case started
    /// Its end is on the agenda.
    case ending
    case over
  }

  /// How an action ends.
  @usableFromInline
  enum Outcome {
    case completed, failed, cancelled, dropped
  }

  // Set before the action is accepted.
  /// Nil in a run that waits to be used again.
  @exclusivity(unchecked) @usableFromInline var storedAction: Action?
  @usableFromInline let batch: ActionBatch?
  /// Whether a task awaits its end, in `perform`, or a watcher.
  @usableFromInline let isAwaited: Bool

  /// Taken by the driver when the run ends.
  @exclusivity(unchecked) @usableFromInline var watcher: (any ActionWatcher)?

  // Guarded by the lock of the inbox.
  @exclusivity(unchecked) @usableFromInline var id: UInt64
  @exclusivity(unchecked) @usableFromInline var continuation: CheckedContinuation<State, any Error>?
  /// The awaiting task has been cancelled, perhaps before the engine accepted the action.
  @exclusivity(unchecked) @usableFromInline var isTaskCancelled = false
  /// The subscription to its effect, or the timer of its quiet time.
  @exclusivity(unchecked) @usableFromInline var effect: (any Disposable)?
  /// How many events of its effect wait among the inputs: a later one may not overtake them.
  @exclusivity(unchecked) @usableFromInline var waitingEvents = 0
  /// The engine takes nothing more of what its effect sends.
  @exclusivity(unchecked) @usableFromInline var isOver = false

  // Guarded by the lock of the outputs.
  /// Started and not yet settled: it counts for `isLoadingObservable(where:)`.
  @exclusivity(unchecked) @usableFromInline var isLoading = false
  /// Its place in the table of runs, or -1.
  @exclusivity(unchecked) @usableFromInline var index = -1

  // The driver's.
  /// Nil until the view model has been asked for it.
  @exclusivity(unchecked) @usableFromInline var mode: ExecutionMode?
  @exclusivity(unchecked) @usableFromInline var stage = Stage.queued
  @exclusivity(unchecked) @usableFromInline var hasStarted = false
  @exclusivity(unchecked) @usableFromInline var hasEffect = false
  @exclusivity(unchecked) @usableFromInline var showsSpinner = false
  /// Its effect has completed without a mapper: the fold under way is its last.
  @exclusivity(unchecked) @usableFromInline var endsWithFold = false
  /// It has failed, and the view model has been asked what the error makes of the state.
  @exclusivity(unchecked) @usableFromInline var hasAskedForMapper = false
  @exclusivity(unchecked) @usableFromInline var outcome = Outcome.completed
  @exclusivity(unchecked) @usableFromInline var error: (any Error)?
  /// What the mapper of that error has thrown.
  @exclusivity(unchecked) @usableFromInline var mapperError: (any Error)?
  /// What its last mapper produced.
  @exclusivity(unchecked) @usableFromInline var lastState: StateBox<State>?
  /// What its effect has sent while earlier ordered actions are unfinished.
  @exclusivity(unchecked) @usableFromInline var held = Queue<Event<StateMapper<State>>>()
  /// Its lane while it is unfinished, and its neighbours there. The table of runs keeps the neighbours alive.
  @exclusivity(unchecked) @usableFromInline var lane: Lane?
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var next: ActionRun?
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var previous: ActionRun?

  @inlinable
  init(
    _ action: Action, id: UInt64 = 0, mode: ExecutionMode? = nil, batch: ActionBatch? = nil, isAwaited: Bool = false
  ) {
    storedAction = action
    self.id = id
    self.mode = mode
    self.batch = batch
    self.isAwaited = isAwaited
  }

  @inlinable
  var action: Action { storedAction! }

  /// Makes a run that has ended silently ready for another action. Such a run has never had more than a place in the table.
  @inlinable
  func reuse(for action: Action, id: UInt64) {
    storedAction = action
    self.id = id
    mode = nil
    stage = .queued
    hasStarted = false
    endsWithFold = false
  }

  /// Whether its end concerns more than the streams' subscribers: the effect, the spinner, a task.
  @inlinable
  var needsEnd: Bool { hasEffect || showsSpinner || isAwaited }

  /// Whether a task awaits its end, and will be thrown its error.
  var isPerformed: Bool { isAwaited && watcher == nil }

  /// Whether an earlier action of its batch has failed or been cancelled.
  @inlinable
  var isDropped: Bool {
    guard let breach = batch?.breach else { return false }
    return id > breach
  }
}

/// The actions of one `executeInSequence`.
@usableFromInline
final class ActionBatch: @unchecked Sendable {  // Sendable: only the engine's driver touches it.
  /// The first action that has failed or been cancelled. The engine drops those behind it.
  @exclusivity(unchecked) @usableFromInline var breach: UInt64?

  @inlinable
  init() {}

  @inlinable
  func breaks(at id: UInt64) {
    breach = min(breach ?? id, id)
  }
}

/// A state that several owners share. A field of an optional generic type would cost a look-up of its metadata at each access.
@usableFromInline
final class StateBox<State: Sendable>: Sendable {
  @usableFromInline let value: State

  @inlinable
  init(_ value: State) {
    self.value = value
  }
}
