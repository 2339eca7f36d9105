/// An accepted action, from `execute` to its end, or a source.
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
    /// The run is no action, but a source that the view model follows.
    case following
    /// The action is in the machine's `ends`.
    case ending
    case over
  }

  /// How an action ends.
  @usableFromInline
  enum Outcome {
    case completed
    /// With the error of the mapper that `stateMapper(for:action:)` has returned, if that has thrown one.
    case failed(any Error, mapperError: (any Error)?)
    case cancelled
    /// Cancelled by a later action of its lane.
    case superseded
    case dropped

    @inlinable
    var isSuperseded: Bool { if case .superseded = self { true } else { false } }
  }

  // Set before the action is accepted.
  /// Nil in the run of a source, and in one that the engine keeps to use again.
  @exclusivity(unchecked) @usableFromInline var storedAction: Action?
  @usableFromInline let batch: ActionBatch?
  /// Whether a task awaits the end of the action, in `perform`, or a watcher does.
  @usableFromInline let isAwaited: Bool

  /// The driver moves it out when the run ends.
  @exclusivity(unchecked) @usableFromInline var watcher: (any ActionWatcher)?

  // Guarded by the lock of the inbox.
  @exclusivity(unchecked) @usableFromInline var id: UInt64
  @exclusivity(unchecked) @usableFromInline var continuation: Box<CheckedContinuation<State, any Error>>?
  /// Whether the awaiting task has been cancelled, perhaps before the engine accepted the action.
  @exclusivity(unchecked) @usableFromInline var isTaskCancelled = false
  /// The subscription to its effect, or the timer of its quiet time.
  @exclusivity(unchecked) @usableFromInline var effect: (any Disposable)?
  /// The events that the effect has sent from elsewhere.
  @exclusivity(unchecked) @usableFromInline var mail = Mail<Event<StateMapper<State>>>()
  /// Whether the engine ignores everything that the effect sends from now on.
  @exclusivity(unchecked) @usableFromInline var isOver = false

  // Guarded by the lock of the outputs.
  /// Whether the action has started and still counts for `isLoadingObservable(where:)`. Only the driver sets this, and may read it without
  /// the lock.
  @exclusivity(unchecked) @usableFromInline var isLoading = false
  /// The run's place in the outputs' table of runs, or -1.
  @exclusivity(unchecked) @usableFromInline var index = -1

  // Only the driver uses these.
  /// Nil until the engine has asked the view model for the mode.
  @exclusivity(unchecked) @usableFromInline var mode: ExecutionMode?
  @exclusivity(unchecked) @usableFromInline var stage = Stage.queued
  @exclusivity(unchecked) @usableFromInline var hasEffect = false
  @exclusivity(unchecked) @usableFromInline var showsSpinner = false
  /// The state that the action's last mapper produced.
  @exclusivity(unchecked) @usableFromInline var lastState: Box<State>?
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

  /// Makes the run of a source.
  @usableFromInline
  init() {
    (id, batch, isAwaited, stage) = (.max, nil, false, .following)
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
  }

  /// Whether the end of the action concerns more than the subscribers of the streams: an effect, the spinner or a task.
  @inlinable
  var needsEnd: Bool { hasEffect || showsSpinner || isAwaited }

  /// Whether a task awaits the end of the action, and receives its error.
  @inlinable
  var isPerformed: Bool { isAwaited && watcher == nil }

  /// Whether an earlier action of its batch has failed or been cancelled.
  @inlinable
  var isDropped: Bool {
    guard let stoppedAt = batch?.stoppedAt else { return false }
    return id > stoppedAt
  }
}

/// The actions of one `executeInSequence`.
@usableFromInline
final class ActionBatch: @unchecked Sendable {  // Sendable: only the engine's driver touches it.
  /// The first action that has failed or been cancelled. The engine drops the actions after it.
  @exclusivity(unchecked) @usableFromInline var stoppedAt: UInt64?

  @inlinable
  func stop(at id: UInt64) {
    stoppedAt = min(stoppedAt ?? id, id)
  }
}

/// A value that several owners share. An optional field of generic type would need a metadata look-up at each access; an optional box
/// needs none.
@usableFromInline
final class Box<Value: Sendable>: Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }
}

/// Events with numbers, in the order of acceptance. An input of the engine names the last event that it stands for, and a taker may take
/// events along before their inputs have their turn.
@usableFromInline
struct Mail<Item> {
  @usableFromInline var items = Queue<Item>()
  /// The number of the event accepted last.
  @usableFromInline var last: UInt64 = 0

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ item: Item) -> UInt64 {
    items.append(item)
    last += 1
    return last
  }

  /// The event with this number, unless it has been taken.
  @inlinable
  mutating func take(_ number: UInt64) -> Item? {
    last - UInt64(items.count) < number ? items.popFirst() : nil
  }
}

/// An object that the engine notifies when an action has ended: the scope of the action, or the property that has
/// executed it.
///
/// The engine does not notify it when the engine closes, because closing ends all actions at once.
@usableFromInline
protocol ActionWatcher: AnyObject, Sendable {
  /// Called on the scheduler, after the streams have announced the end.
  func actionHasEnded(_ run: AnyObject)
}
