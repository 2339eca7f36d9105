/// What the threads that cancel, read and drive share, under the lock of the engine.
@usableFromInline
struct EngineState<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Run = EngineRun<Action, State>

  /// The inputs that the turn has taken from the inbox.
  @usableFromInline var inputs = Queue<EngineInput<Action, State>>()
  /// The running actions that something has ended, for the driver to announce it.
  @usableFromInline var ends = Queue<Run>()
  /// The sources, and the actions that the driver has taken, until they no longer count as loading. In no order.
  @usableFromInline var runs: [Run] = []
  @usableFromInline var isClosed = false
  /// The scope of the current resume.
  @usableFromInline var resumed: DisposeBag?
  /// The entries in bags, by bag. The end of a bag removes its entry, so its address identifies it.
  @usableFromInline var scopes: [ObjectIdentifier: ActionScope<Action, State>] = [:]
  /// The number of the action that starts in this step.
  @usableFromInline var subscribing: UInt64 = 0
  @usableFromInline var states = SubjectState<Box<State>>(size: 1)
  @usableFromInline var streams = Streams<Action, State>()
  /// The instances of the failures that views have dismissed, until the driver looks whether they are needed for anything else.
  @usableFromInline var dismissed: [ChildInstance] = []

  @inlinable
  init() {}

  /// The sources, and the actions that have not been released, in the order of acceptance. O(n log n).
  @inlinable
  mutating func all(_ inbox: inout Inbox<Action, State>) -> [Run] {
    let waiting = inputs.runs() + inbox.inputs.runs() + inbox.parked.compactMap(\.run)
    return (runs + waiting).sorted { $0.id < $1.id }
  }

  /// Makes an action end: as the driver's next step or, if it is queued, when the driver takes it. None of its mappers is folded any more.
  @inlinable
  mutating func interrupt(_ run: Run, as outcome: Outcome) {
    if !run.isUnfinished { return }
    run.outcome = outcome
    if run.stage != .queued { ends.append(run) }
  }

  @inlinable
  mutating func add(_ run: Run) {
    run.place = runs.count
    runs.append(run)
  }

  /// Removes a run that has ended. The last run of the table takes its place. The caller retains the removed run. O(1).
  @inlinable
  mutating func release(_ run: Run) {
    run.stage = .released
    let last = runs.removeLast()
    if last !== run {
      runs[run.place] = last
      last.place = run.place
    }
    if runs.isEmpty, runs.capacity > 64 { runs = [] }
  }
}

/// What a section has removed from the state that a lock guards. The caller of the section releases it, without the lock (contract 1.3):
/// an input, an effect or an action may be the user's, and its `deinit` may call the view model.
@usableFromInline
struct RemovedObjects<Action: Sendable, State: Sendable> {
  @usableFromInline var input: EngineInput<Action, State>?
  @usableFromInline var effect: (any Disposable)?
  @usableFromInline var followers: [EngineRun<Action, State>] = []

  @inlinable
  init() {}
}
