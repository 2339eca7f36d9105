/// An accepted action, from `execute` to its end, or a source: what both have.
///
/// `perform`, `executeInSequence` and `execute(_:mode:)` make a run when they accept the action. For a plain `execute` the engine makes one
/// when it takes the action out of the queue. The object is its own key: a cancellation names it, its lane links it to its neighbors, and
/// its effect addresses events to it.
@usableFromInline
// Sendable: a lock or the driver guards each group of properties. The comment above the group says which.
class EngineRun<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Lane = ActionLane<Action, State>

  @usableFromInline final let batch: ActionBatch?

  /// Set before the action is accepted. The driver removes it when the run ends.
  @exclusivity(unchecked) @usableFromInline final var listener: RunListener

  // Guarded by the lock of the inbox.
  /// 0 until the engine has accepted the action.
  @exclusivity(unchecked) @usableFromInline final var id: UInt64
  @exclusivity(unchecked) @usableFromInline final var effect = RunEffect.none
  /// The events that the effect has sent from elsewhere.
  @exclusivity(unchecked) @usableFromInline final var mail = Mail<Event<StateMapper<State>>>()

  // Guarded by the lock of the outputs. Only the driver sets this, and may read it without the lock.
  @exclusivity(unchecked) @usableFromInline final var place = RunPlace.none

  // The thread that accepts the action sets this before. Then only the driver uses these.
  @exclusivity(unchecked) @usableFromInline final var binding = Binding.none
  /// The ``ActionPort`` of an action whose effect has asked for one, until the action ends.
  @exclusivity(unchecked) @usableFromInline final var port: AnyObject?

  // Only the driver uses these.
  /// Nil until the engine has asked the view model for the mode.
  @exclusivity(unchecked) @usableFromInline final var mode: ExecutionMode?
  @exclusivity(unchecked) @usableFromInline final var stage = RunStage.queued
  @exclusivity(unchecked) @usableFromInline final var showsSpinner = false
  /// Whether `effect` has been set. Most effects are single mappers, whose ends do not take the lock of the inbox, for which senders wait.
  @exclusivity(unchecked) @usableFromInline final var hasEffect = false
  /// The state that the action's last mapper produced, if more may follow it.
  @exclusivity(unchecked) @usableFromInline final var lastState: Box<State>?
  /// The events that the effect has sent while earlier ordered actions are unfinished.
  @exclusivity(unchecked) @usableFromInline final var held = Queue<Event<StateMapper<State>>>()
  /// The run's lane while the run is unfinished, and its neighbors there. The table of runs keeps the neighbors
  /// alive.
  @exclusivity(unchecked) @usableFromInline final var lane: Lane?
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) final var next: EngineRun?
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) final var previous: EngineRun?

  @inlinable
  init(id: UInt64, mode: ExecutionMode? = nil, batch: ActionBatch? = nil, listener: RunListener = .none) {
    (self.id, self.mode, self.batch, self.listener) = (id, mode, batch, listener)
  }

  /// Called for the run of an action only.
  @inlinable
  final var action: Action { unsafeDowncast(self, to: ActionRun<Action, State>.self).storedAction }

  /// Whether a task awaits the end of the action, and receives its error.
  @inlinable
  final var isPerformed: Bool { if case .task = listener { true } else { false } }

  @inlinable
  final var isLoading: Bool { if case .loading = place { true } else { false } }

  /// Whether an earlier action of its batch has failed or been cancelled.
  @inlinable
  final var isDropped: Bool {
    guard let stoppedAt = batch?.stoppedAt else { return false }
    return id > stoppedAt
  }
}

/// The run of an action. A class of its own: releasing an optional action would need a metadata look-up each time.
@usableFromInline
// Sendable: as its superclass.
final class ActionRun<Action: Sendable, State: Sendable>: EngineRun<Action, State>, @unchecked Sendable {
  @usableFromInline let storedAction: Action

  @inlinable
  init(
    _ action: Action, id: UInt64 = 0, mode: ExecutionMode? = nil, batch: ActionBatch? = nil,
    listener: RunListener = .none
  ) {
    storedAction = action
    super.init(id: id, mode: mode, batch: batch, listener: listener)
  }
}

// Outside the run: a type that stands in a generic one needs its metadata for each copy.

/// The stage that the action has reached.
@usableFromInline
enum RunStage {
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
enum RunOutcome {
  case completed
  /// With the error of the mapper that `stateMapper(for:action:)` has returned, if that has thrown one.
  case failed(any Error, mapperError: (any Error)?)
  case cancelled
  /// Cancelled by a later action of its lane.
  case superseded
  case dropped
  /// Dropped because its child is absent.
  case refused
}

/// A listener to the end of the action.
@usableFromInline
enum RunListener {
  case none
  /// The task that awaits the end in `perform`. The inbox holds its continuation.
  case task
  case watcher(any ActionWatcher)
}

/// The resources that the end of the run disposes.
@usableFromInline
enum RunEffect {
  case none
  /// The subscription to the effect, or the timer of the quiet time.
  case active(any Disposable)
  /// The run has ended, or ends by a request that waits. The engine ignores everything that its effect still sends.
  case over
}

/// The run's place in the outputs' table of runs.
@usableFromInline
enum RunPlace {
  case none
  /// A waiting action, or a source.
  case silent(at: Int)
  /// The action has started, and counts as loading.
  case loading(at: Int)
}

/// The actions of one `executeInSequence`.
@usableFromInline
final class ActionBatch: @unchecked Sendable {  // Sendable: only the engine's driver touches it.
  /// The first action that has failed or been cancelled. The engine drops the actions after it.
  @exclusivity(unchecked) @usableFromInline var stoppedAt: UInt64?
  /// The number of its first action, which tells it from other batches. Set before the driver gets the batch.
  @exclusivity(unchecked) var first: UInt64 = 0

  @inlinable
  func stop(at id: UInt64) {
    stoppedAt = min(stoppedAt ?? id, id)
  }
}

/// A state that several owners share. An optional field of generic type would need a metadata look-up at each access; an optional box
/// needs none.
@usableFromInline
final class Box<Value: Sendable>: Sendable {
  @usableFromInline let value: Value
  /// The number of the states before it.
  @usableFromInline let number: UInt64

  @inlinable
  init(_ value: Value, number: UInt64 = 0) {
    (self.value, self.number) = (value, number)
  }

  /// The state that follows this one.
  @inlinable
  func next(_ transform: (Value) throws -> Value) rethrows -> Box {
    try Box(transform(value), number: number + 1)
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
    has(number) ? items.popFirst() : nil
  }

  @inlinable
  func has(_ number: UInt64) -> Bool { last - UInt64(items.count) < number }
}

/// An object that the engine notifies of an action: the scope of the action, or the property that has
/// executed it.
///
/// The engine does not notify it when the engine closes, because closing ends all actions at once.
@usableFromInline
protocol ActionWatcher: AnyObject, Sendable {
  /// Called on the scheduler, after a state of the action has been delivered, unless the action ends with it.
  func actionHasFolded(_ run: AnyObject)
  /// Called on the scheduler, after the streams have announced the end.
  func actionHasEnded(_ run: AnyObject)
}

extension RunEffect {
  /// Returns what has to be disposed. Nothing more is added.
  @inlinable
  mutating func end() -> (any Disposable)? {
    defer { self = .over }
    return if case .active(let effect) = self { effect } else { nil }
  }

  @inlinable
  var isOver: Bool { if case .over = self { true } else { false } }
}
