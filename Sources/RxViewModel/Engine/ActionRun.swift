/// An accepted action, from `execute` to its end, or a source: what both have.
///
/// | stage       | the action                                               | leaves it by                                    |
/// |-------------|----------------------------------------------------------|-------------------------------------------------|
/// | `queued`    | waits in the inbox, or among the inputs of a turn        | the step that takes it                          |
/// | `taken`     | is being asked for its child, its mode and its spinner   | the end of that step                            |
/// | `debouncing`| has its place in a lane, and a timer                     | the end of its delay                            |
/// | `waiting`   | has its place in a lane                                  | the job that starts it                          |
/// | `joined`    | has its place in a lane, and ends as another one ends    | that end                                        |
/// | `next`      | had joined one that was cancelled, and takes its place   | the job that starts it                          |
/// | `started`   | has been announced; its effect is being made or runs     | its completion, its error                       |
/// | `following` | is a source                                              | its completion, its error                       |
/// | `over…`     | emits its end, and may count as loading meanwhile        | the job that starts the next in its lane        |
/// | `released`  | has left the table                                       |                                                 |
///
/// Something on any thread ends a run by giving it an `outcome`. From then on none of its mappers is folded. The driver announces the end:
/// now, or as its next step or, if the run is queued, when it takes the run.
@usableFromInline
// Sendable: a lock or the driver guards each group of properties. The comment above the group says which.
class EngineRun<Action: Sendable, State: Sendable>: @unchecked Sendable {
  // Constant once the action has been accepted.
  /// 0 until the engine has accepted the action.
  @exclusivity(unchecked) @usableFromInline final var id: UInt64
  /// What has executed the action, if that is more than a call.
  @exclusivity(unchecked) @usableFromInline final var watcher: (any ActionWatcher)?

  /// The number of its events that have entered the inbox. Guarded by the lock of the inbox.
  @exclusivity(unchecked) @usableFromInline final var sent: UInt32 = 0

  // Guarded by the lock of the engine.
  /// How the run ends. Nil until something ends it.
  @exclusivity(unchecked) @usableFromInline final var outcome: Outcome?
  /// The place in the table of runs.
  @exclusivity(unchecked) @usableFromInline final var place = 0
  /// The subscription to the effect, or the timer that debounces the action.
  @exclusivity(unchecked) @usableFromInline final var effect: (any Disposable)?
  /// The actions that follow the action if it completes.
  @exclusivity(unchecked) @usableFromInline final var followers: [EngineRun] = []

  // Guarded by the lock of the engine. Only the driver changes these, and may read them without the lock.
  @exclusivity(unchecked) @usableFromInline final var stage = RunStage.queued
  @exclusivity(unchecked) @usableFromInline final var owner = RunOwner<Action, State>()

  // Only the driver uses these.
  /// The number of its events that the driver has taken from the inbox.
  @exclusivity(unchecked) @usableFromInline final var taken: UInt32 = 0
  /// Nil until the engine has asked the view model for the mode, unless the action was executed with one.
  @exclusivity(unchecked) @usableFromInline final var mode: ExecutionMode?
  @exclusivity(unchecked) @usableFromInline final var showsSpinner = false
  /// What its steps share (contract 2.20). Nil unless it has an update, or something was undecided when it began.
  @exclusivity(unchecked) @usableFromInline final var steps: StepOwner?
  /// The state that the action's last mapper produced, if more may follow it.
  @exclusivity(unchecked) @usableFromInline final var lastState: Box<State>?
  /// The events that the effect has sent while earlier ordered actions are unfinished.
  @exclusivity(unchecked) @usableFromInline final var deferred = Queue<Event<StateMapper<State>>>()
  /// The place in a lane while the action is unfinished.
  @exclusivity(unchecked) @usableFromInline final var link = LaneLink<Action, State>()

  @inlinable
  init(id: UInt64, mode: ExecutionMode? = nil, watcher: (any ActionWatcher)? = nil) {
    (self.id, self.mode, self.watcher) = (id, mode, watcher)
  }

  /// Called for the run of an action only.
  @inlinable
  final var action: Action { unsafeDowncast(self, to: ActionRun<Action, State>.self).storedAction }

  @inlinable
  final var batch: ActionBatch? { watcher.flatMap { $0 as? ActionBatch } }

  /// Whether a request to cancel can match it. Called under the lock.
  @inlinable
  final var isUnfinished: Bool { if case nil = outcome { stage != .following } else { false } }

  /// How the action ends if an earlier action of its batch has failed or been cancelled. Otherwise nil.
  @inline(__always)
  @inlinable
  final var drop: Outcome? { batch?.stoppedAt.flatMap { id > $0 ? .dropped(.batch(stoppedBy: $0)) : nil } }

  /// Whether the mappers wait for those of earlier actions.
  @inlinable
  final var isDeferred: Bool {
    guard let lane = link.lane, mode!.isOrdered else { return false }
    return lane.first !== self || !deferred.isEmpty
  }

  /// The driver begins to announce the end: from now on nothing else ends the run. Called under the lock.
  @inlinable
  final func beginEnd(_ removed: inout RemovedObjects<Action, State>) {
    stage = stage.isLoading ? .overAndLoading : .over
    swap(&removed.effect, &effect)
    swap(&removed.followers, &followers)
  }
}

/// The run of an action. A subclass and not an optional property, because releasing an optional action would need a metadata look-up each
/// time.
@usableFromInline
// Sendable: as its superclass.
final class ActionRun<Action: Sendable, State: Sendable>: EngineRun<Action, State>, @unchecked Sendable {
  @usableFromInline let storedAction: Action

  @inlinable
  init(_ action: Action, id: UInt64 = 0, mode: ExecutionMode? = nil, watcher: (any ActionWatcher)? = nil) {
    storedAction = action
    super.init(id: id, mode: mode, watcher: watcher)
  }
}

@usableFromInline
enum RunStage {
  case queued, taken, debouncing, waiting, joined, next, started, following, over, overAndLoading, released

  @inlinable
  var isOver: Bool { self == .over || self == .overAndLoading || self == .released }

  @inlinable
  var isWaiting: Bool { self == .waiting || self == .debouncing }

  /// Whether the streams have announced the action, and not yet that it counts as loading no longer.
  @inlinable
  var isLoading: Bool { self == .started || self == .overAndLoading }
}

/// The child that an action belongs to.
@usableFromInline
struct RunOwner<Action: Sendable, State: Sendable> {
  /// The instance; nil for the view model. Before the action is taken, the instance whose effect has executed it.
  @usableFromInline var instance: ChildInstance?
  /// Whether the action is a retry. Then the instance is that of the failed action, and the child present now may be another instance of
  /// the same child.
  @usableFromInline var isRetry = false
  @usableFromInline var child: ChildAction<Action, State>?
  /// Whether the action uses lanes of the instance, because the feature has returned its mode. Only the driver uses it.
  @usableFromInline var hasOwnLanes = false

  @inlinable
  init() {}
}

/// How an action ends. Indirect, so that each check whether an action has ended reads one word.
@usableFromInline
package indirect enum Outcome {
  case completed
  /// With the error that the mapper of `stateMapper(for:action:)` has thrown, if it has thrown one.
  case failed(any Error, mapperError: (any Error)?)
  case cancelled(ExecutionCause)
  /// As the action with this number, which has completed or failed.
  case joined((any Error)?, to: UInt64)
  case dropped(ExecutionCause)

  @inlinable
  var isCompleted: Bool { if case .completed = self { true } else { false } }

  /// Whether the action has completed, itself or as the one that it has joined.
  var isSuccess: Bool { if case .joined(nil, _) = self { true } else { isCompleted } }

  /// Whether the rest of the batch is dropped, if the action belongs to one.
  @inlinable
  var stopsBatch: Bool { if case .dropped = self { false } else { !isCompleted } }

  /// Whether the action has come to its own end.
  var isOwn: Bool { error != nil || isCompleted }

  var error: (any Error)? { if case .failed(let error, _) = self { error } else { nil } }
}

/// The actions of one `executeInSequence`.
@usableFromInline
// Sendable: `first` is set under the inbox's lock; the driver alone sets `stoppedAt`, under the engine's.
final class ActionBatch: ActionWatcher, @unchecked Sendable {
  /// The first action that has failed or been cancelled. The engine drops the actions after it.
  @exclusivity(unchecked) @usableFromInline var stoppedAt: UInt64?
  /// The number of the batch's first action, which identifies the batch. Set before the driver gets the batch.
  @exclusivity(unchecked) @usableFromInline var first: UInt64 = 0

  @inlinable
  init() {}

  @inlinable
  func stop(at id: UInt64) { stoppedAt = min(stoppedAt ?? id, id) }

  @usableFromInline
  func actionHasEnded(_ run: AnyObject, _ result: Result<AnyObject, any Error>) {}
}
