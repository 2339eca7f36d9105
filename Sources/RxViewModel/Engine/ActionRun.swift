/// An accepted action, from `execute` to its end, or a source: what both have.
///
/// | stage       | the action                                              | leaves it by                                    |
/// |-------------|---------------------------------------------------------|-------------------------------------------------|
/// | `queued`    | waits in the inputs                                     | the step that takes it                          |
/// | `taken`     | is being asked for its child, its mode and its spinner  | the end of that step                            |
/// | `waiting`   | has its place in a lane                                 | the job that starts it, or the end of its delay |
/// | `started`   | has been announced; its effect is being made or runs    | its completion, its error                       |
/// | `following` | is a source                                             | its completion, its error                       |
/// | `over`      | emits its end; is in the table while it counts as loading |                                               |
///
/// Any thread may mark a run as ending. From then on none of its mappers is folded. The driver ends the run: as its next step or, if the
/// run is queued, when it takes the run.
@usableFromInline
// Sendable: a lock or the driver guards each group of properties. The comment above the group says which.
class EngineRun<Action: Sendable, State: Sendable>: @unchecked Sendable {
  // Set before the action is accepted.
  @exclusivity(unchecked) @usableFromInline final var batch: ActionBatch?
  @exclusivity(unchecked) @usableFromInline final var watcher: (any ActionWatcher)?
  /// The ``ActionScope`` that the action ends with.
  @exclusivity(unchecked) @usableFromInline final var scope: ActionScope<Action, State>?
  /// Whether the action is a retry for a child. Then `instance` is that of the failed action, and the child present now may be another
  /// instance of the same child.
  @exclusivity(unchecked) @usableFromInline final var isRetry = false

  // Guarded by the lock of the engine.
  /// 0 until the engine has accepted the action.
  @exclusivity(unchecked) @usableFromInline final var id: UInt64
  @exclusivity(unchecked) @usableFromInline final var isEnding = false
  /// The place in the table of runs.
  @exclusivity(unchecked) @usableFromInline final var place = 0
  /// The number of its events that wait in the inputs.
  @exclusivity(unchecked) @usableFromInline final var waitingEvents = 0
  /// The subscription to the effect, or the timer that debounces the action.
  @exclusivity(unchecked) @usableFromInline final var effect: (any Disposable)?
  /// The actions that follow the action if it completes.
  @exclusivity(unchecked) @usableFromInline final var followers: [EngineRun] = []
  /// Whether `effect` or `followers` may be set. Most effects are single mappers. Read without the lock once the run is over.
  @exclusivity(unchecked) @usableFromInline final var hasResources = false

  // Guarded by the lock. Only the driver changes these, and may read them without the lock.
  @exclusivity(unchecked) @usableFromInline final var stage = RunStage.queued
  @exclusivity(unchecked) @usableFromInline final var isLoading = false
  /// How the run has ended by itself. Nil if something else, such as a cancellation, has ended it.
  @exclusivity(unchecked) @usableFromInline final var outcome: Outcome?
  /// The instance that the action belongs to; nil for the view model. Before the action is taken, the instance whose effect has executed
  /// it.
  @exclusivity(unchecked) @usableFromInline final var instance: ChildInstance?
  @exclusivity(unchecked) @usableFromInline final var child: ChildAction<Action, State>?

  // Only the driver uses these.
  /// Nil until the engine has asked the view model for the mode.
  @exclusivity(unchecked) @usableFromInline final var mode: ExecutionMode?
  @exclusivity(unchecked) @usableFromInline final var showsSpinner = false
  /// Whether the action uses lanes of its instance, because the feature has returned its mode.
  @exclusivity(unchecked) @usableFromInline final var hasOwnLanes = false
  /// Whether the lane counts the run among those before its first waiting one.
  @exclusivity(unchecked) @usableFromInline final var isPassed = false
  /// The state that the action's last mapper produced, if more may follow it.
  @exclusivity(unchecked) @usableFromInline final var lastState: Box<State>?
  /// The events that the effect has sent while earlier ordered actions are unfinished.
  @exclusivity(unchecked) @usableFromInline final var held = Queue<Event<StateMapper<State>>>()
  /// The lane while the action is unfinished, and the neighbors there.
  @exclusivity(unchecked) @usableFromInline final var lane: ActionLane<Action, State>?
  @exclusivity(unchecked) @usableFromInline final var next: EngineRun?
  @exclusivity(unchecked) @usableFromInline final var previous: EngineRun?

  @inlinable
  init(id: UInt64) { self.id = id }

  /// Called for the run of an action only.
  @inlinable
  final var action: Action { unsafeDowncast(self, to: ActionRun<Action, State>.self).storedAction }

  /// Whether a request to cancel can match it. Called under the lock.
  @inlinable
  final var isUnfinished: Bool { !isEnding && stage != .over && stage != .following }

  /// Whether an earlier action of its batch has failed or been cancelled.
  @inlinable
  final var isDropped: Bool { batch?.stoppedAt.map { id > $0 } ?? false }

  /// Whether the mappers wait for those of earlier actions.
  @inlinable
  final var isHeld: Bool {
    guard let lane, mode!.isOrdered else { return false }
    return lane.first !== self || !held.isEmpty
  }
}

/// The run of an action. A subclass and not an optional property, because releasing an optional action would need a metadata look-up each
/// time.
@usableFromInline
// Sendable: as its superclass.
final class ActionRun<Action: Sendable, State: Sendable>: EngineRun<Action, State>, @unchecked Sendable {
  @usableFromInline let storedAction: Action

  @inlinable
  init(_ action: Action, mode: ExecutionMode? = nil, watcher: (any ActionWatcher)? = nil) {
    storedAction = action
    super.init(id: 0)
    (self.mode, self.watcher) = (mode, watcher)
  }
}

@usableFromInline
enum RunStage {
  case queued, taken, waiting, started, following, over
}

/// How an action ends.
@usableFromInline
enum Outcome {
  case completed
  /// With the error that the mapper of `stateMapper(for:action:)` has thrown, if it has thrown one.
  case failed(any Error, mapperError: (any Error)?)
  case cancelled
  /// Cancelled by a later action of its lane.
  case superseded
  case dropped
  /// Dropped because the child with this name is absent.
  case refused(String)
}

/// The actions of one `executeInSequence`.
@usableFromInline
// Sendable: both are set under the engine's lock; the driver alone sets `stoppedAt`.
final class ActionBatch: @unchecked Sendable {
  /// The first action that has failed or been cancelled. The engine drops the actions after it.
  @exclusivity(unchecked) @usableFromInline var stoppedAt: UInt64?
  /// The number of the batch's first action, which identifies the batch. Set before the driver gets the batch.
  @exclusivity(unchecked) @usableFromInline var first: UInt64 = 0

  @inlinable
  func stop(at id: UInt64) { stoppedAt = min(stoppedAt ?? id, id) }
}

/// A state that several owners share. A box, because an optional field of generic type would need a metadata look-up at each access, and an
/// optional box needs none.
@usableFromInline
package final class Box<Value: Sendable>: Sendable {
  @usableFromInline package let value: Value
  /// The number of the states before it.
  @usableFromInline let number: UInt64

  @inlinable
  init(_ value: Value, number: UInt64 = 0) {
    (self.value, self.number) = (value, number)
  }

  /// The state that follows this one. A method, because a read of a box in a variable would copy the state.
  @inlinable
  func next(_ transform: (Value) throws -> Value) rethrows -> Box { try Box(transform(value), number: number + 1) }
}

/// An object that follows an action: the property that has executed it, or the task that awaits it.
@usableFromInline
protocol ActionWatcher: AnyObject, Sendable {
  /// Called on the scheduler, after a state of the action has been delivered, unless that fold ends the action.
  func actionHasFolded(_ run: AnyObject)
  /// Called after the streams have announced the end, on the scheduler, or when the engine closes. The result is a ``Box``.
  func actionHasEnded(_ run: AnyObject, _ result: Result<AnyObject, any Error>)
}

/// The unfinished actions of one lane, in the order of their admission: a linked list.
@usableFromInline
final class ActionLane<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Run = EngineRun<Action, State>

  /// The identity of a lane: its name, or the number of its default lane, and the child's instance that owns it, if there is one.
  @usableFromInline
  struct Key: Hashable {
    @usableFromInline let name: ExecutionMode.Lane?
    @usableFromInline let number: Int
    @usableFromInline let owner: ObjectIdentifier?

    @inlinable
    init(_ mode: ExecutionMode, of owner: ObjectIdentifier?) {
      (name, number, self.owner) = (mode.lane, mode.lane == nil ? mode.laneRules.defaultLane : 0, owner)
    }
  }

  @usableFromInline let key: Key
  @exclusivity(unchecked) @usableFromInline var first: Run?
  @exclusivity(unchecked) @usableFromInline var last: Run?
  @exclusivity(unchecked) @usableFromInline var count = 0
  /// The first run that waits for its turn, and the number of runs before it.
  @exclusivity(unchecked) @usableFromInline var waiting: Run?
  @exclusivity(unchecked) @usableFromInline var ahead = 0

  @inlinable
  init(_ key: Key) {
    self.key = key
  }

  /// The first run that waits, if its turn to start has come.
  @inlinable
  var candidate: Run? { waiting.flatMap { ahead < $0.mode!.laneRules.limit ? $0 : nil } }

  @inlinable
  var runs: [Run] { first.map { Array(sequence(first: $0) { $0.next }) } ?? [] }

  /// Appends a run that waits.
  @inlinable
  func append(_ run: Run) {
    if case nil = waiting { (waiting, ahead) = (run, count) }
    count += 1
    (run.lane, run.previous) = (self, last)
    if let last { last.next = run } else { first = run }
    last = run
  }

  /// If the run was the first waiting one, moves on to the next that waits. Called when the run has started or ended. O(1) for each run,
  /// amortized.
  @inlinable
  func pass(_ run: Run) {
    if run !== waiting { return }
    while let passed = waiting, passed === run || passed.stage != .waiting {
      passed.isPassed = true
      (waiting, ahead) = (passed.next, ahead + 1)
    }
  }

  @inlinable
  func remove(_ run: Run) {
    pass(run)
    if run.isPassed { ahead -= 1 }
    count -= 1
    if let previous = run.previous { previous.next = run.next } else { first = run.next }
    if let next = run.next { next.previous = run.previous } else { last = run.previous }
    (run.lane, run.previous, run.next) = (nil, nil, nil)
  }
}
