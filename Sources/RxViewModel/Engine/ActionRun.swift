/// An accepted action, from `execute` to its end.
///
/// `perform`, `executeInSequence` and `execute(_:mode:)` make a run when they accept the action. For a plain `execute`
/// the engine makes one when it takes the action out of the queue. The object is its own key: a cancellation names it,
/// its lane links it to its neighbors, and its effect addresses events to it.
@usableFromInline
// Sendable: a lock or the driver guards each group of properties. The comment above the group says which.
final class ActionRun<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Lane = ActionLane<Action, State>

  /// The stage that the action has reached.
  @usableFromInline
  enum Stage {
    /// The engine has accepted the action. It has no place in a lane yet.
    case queued
    /// The action is in its lane. It waits for earlier actions, or until its quiet time is over.
    case waiting
    /// The streams have announced the action, or are about to. Its effect is being created or is running.
    case started
    /// The action is in the machine's `ends`.
    case ending
    case over
  }

  /// How an action ends.
  @usableFromInline
  enum Outcome {
    case completed, failed, cancelled, dropped
  }

  // Set before the action is accepted.
  /// Nil in a run that the engine keeps to use again.
  @exclusivity(unchecked) @usableFromInline var storedAction: Action?
  @usableFromInline let batch: ActionBatch?
  /// Whether a task awaits the end of the action, in `perform`, or a watcher does.
  @usableFromInline let isAwaited: Bool

  /// The driver moves it out when the run ends.
  @exclusivity(unchecked) @usableFromInline var watcher: (any ActionWatcher)?

  // Guarded by the lock of the inbox.
  @exclusivity(unchecked) @usableFromInline var id: UInt64
  @exclusivity(unchecked) @usableFromInline var continuation: CheckedContinuation<State, any Error>?
  /// Whether the awaiting task has been cancelled, perhaps before the engine accepted the action.
  @exclusivity(unchecked) @usableFromInline var isTaskCancelled = false
  /// The subscription to its effect, or the timer of its quiet time.
  @exclusivity(unchecked) @usableFromInline var effect: (any Disposable)?
  /// How many events of the effect wait among the inputs. A later event must not overtake them.
  @exclusivity(unchecked) @usableFromInline var waitingEvents = 0
  /// Whether the engine ignores everything that the effect sends from now on.
  @exclusivity(unchecked) @usableFromInline var isOver = false

  // Guarded by the lock of the outputs.
  /// Whether the action has started and still counts for `isLoadingObservable(where:)`.
  @exclusivity(unchecked) @usableFromInline var isLoading = false
  /// The run's place in the outputs' table of runs, or -1.
  @exclusivity(unchecked) @usableFromInline var index = -1

  // Only the driver uses these.
  /// Nil until the engine has asked the view model for the mode.
  @exclusivity(unchecked) @usableFromInline var mode: ExecutionMode?
  @exclusivity(unchecked) @usableFromInline var stage = Stage.queued
  @exclusivity(unchecked) @usableFromInline var hasStarted = false
  @exclusivity(unchecked) @usableFromInline var hasEffect = false
  @exclusivity(unchecked) @usableFromInline var showsSpinner = false
  /// Whether the fold under way is the last one of the run, because its effect sends nothing more.
  @exclusivity(unchecked) @usableFromInline var endsWithFold = false
  /// Whether the run has failed and the engine has called `stateMapper(for:action:)`.
  @exclusivity(unchecked) @usableFromInline var hasAskedForMapper = false
  @exclusivity(unchecked) @usableFromInline var outcome = Outcome.completed
  @exclusivity(unchecked) @usableFromInline var error: (any Error)?
  /// The error that the mapper of `stateMapper(for:action:)` has thrown.
  @exclusivity(unchecked) @usableFromInline var mapperError: (any Error)?
  /// The state that the action's last mapper produced.
  @exclusivity(unchecked) @usableFromInline var lastState: StateBox<State>?
  /// The events that the effect has sent while earlier ordered actions are unfinished.
  @exclusivity(unchecked) @usableFromInline var held = Queue<Event<StateMapper<State>>>()
  /// The run's lane while the run is unfinished, and its neighbors there. The table of runs keeps the neighbors
  /// alive.
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

  /// Prepares a run that has ended silently for another action. A run ends silently if its end concerns no effect,
  /// spinner, task or observer. Such a run has never had more than a place in the table.
  @inlinable
  func reuse(for action: Action, id: UInt64) {
    storedAction = action
    self.id = id
    mode = nil
    stage = .queued
    hasStarted = false
    endsWithFold = false
  }

  /// Whether the end of the action concerns more than the subscribers of the streams: an effect, the spinner or a task.
  @inlinable
  var needsEnd: Bool { hasEffect || showsSpinner || isAwaited }

  /// Whether a task awaits the end of the action, and receives its error.
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
  /// The first action that has failed or been cancelled. The engine drops the actions after it.
  @exclusivity(unchecked) @usableFromInline var breach: UInt64?

  @inlinable
  init() {}

  @inlinable
  func breaks(at id: UInt64) {
    breach = min(breach ?? id, id)
  }
}

/// A state that several owners share. A box, because an optional field of generic type would need a metadata look-up at each access.
@usableFromInline
final class StateBox<State: Sendable>: Sendable {
  @usableFromInline let value: State

  @inlinable
  init(_ value: State) {
    self.value = value
  }
}
