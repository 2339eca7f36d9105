/// The data that readers and the driver share. It has a lock of its own, which `execute` never takes.
@usableFromInline
struct Outputs<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Run = ActionRun<Action, State>

  /// Whether the driver may begin an action or set a state.
  @usableFromInline
  enum Gate {
    case open
    /// The driver must first handle the cancellations in the inbox.
    case interrupted
    case closed
  }

  /// The state stream. It is here so that the driver can check the gate and set a state under one lock.
  @usableFromInline var states: SubjectState<State>
  @usableFromInline var streams = Streams<Action, State>()
  /// The actions that have a lane or have started, until they stop counting as loading. The action in `begun` is not
  /// here.
  @usableFromInline var runs: [Run] = []
  /// The action begun last. Most actions end before another one begins, and so need no place in the table. The machine
  /// or the driver retains it until it is removed here or moves into the table.
  @usableFromInline var begun: Unmanaged<Run>?
  @usableFromInline var gate = Gate.open

  /// - Parameter latest: The memory for the current state.
  @inlinable
  init(_ latest: LatestElement<State>) {
    states = SubjectState(ReplayBuffer(latest))
  }

  @inlinable
  mutating func add(_ run: Run) {
    if let begun, begun.toOpaque() == Unmanaged.passUnretained(run).toOpaque() { self.begun = nil }
    if run.index >= 0 { return }
    run.index = runs.count
    runs.append(run)
  }

  /// Counts an action as loading. It replaces the action begun before, if that has ended silently; otherwise that one
  /// moves into the table.
  @inlinable
  mutating func begin(_ run: Run) {
    if let begun { begun._withUnsafeGuaranteedRef { add($0) } }
    run.isLoading = true
    begun = .passUnretained(run)
  }

  /// All the actions, including the one begun last. O(n).
  @inlinable
  var all: [Run] {
    guard let begun, begun._withUnsafeGuaranteedRef({ $0.index < 0 }) else { return runs }
    return runs + [begun.takeUnretainedValue()]
  }

  /// Removes a run. The last run of the table takes its place. The caller retains the removed run. O(1).
  @inlinable
  mutating func remove(_ run: Run) {
    run.isLoading = false
    if let begun, begun.toOpaque() == Unmanaged.passUnretained(run).toOpaque() { self.begun = nil }
    if run.index < 0 { return }
    let last = runs.removeLast()
    if last !== run {
      runs[run.index] = last
      last.index = run.index
    }
    run.index = -1
    if runs.isEmpty, runs.capacity > 64 { runs = [] }
  }
}

extension Outputs {
  /// Closes the gate and the streams. Returns the effects of all runs, in no order, for the caller to dispose with no lock held. Under the
  /// lock of the inbox too, which guards the effects.
  @inlinable
  mutating func close() -> [(id: UInt64, effect: any Disposable)] {
    gate = .closed
    states.isClosed = true
    streams.close()
    return all.compactMap { run in run.effect.take().map { (run.id, $0) } }
  }
}

/// The streams of a view model that have had a subscriber. The other streams cost nothing.
@usableFromInline
struct Streams<Action: Sendable, State: Sendable> {
  @usableFromInline var actionAndState: SubjectCore<ActionAndState<Action, State>>?
  @usableFromInline var error: SubjectCore<any Error>?
  @usableFromInline var actionAndError: SubjectCore<ActionAndError<Action>>?
  @usableFromInline var execution: SubjectCore<Execution<Action, State>>?
  @usableFromInline var log: (any LogStream)?
  @usableFromInline var loading: SubjectCore<Bool>?
  @usableFromInline var activity: SubjectCore<Activity<Action>>?
  /// The number of changes that `activity` has emitted.
  @usableFromInline var activityVersion: UInt64 = 0
  @usableFromInline var isLoading = false
  /// Whether a stream has had a subscriber that emits more than the state for every action.
  @usableFromInline var isObserved = false

  @inlinable
  init() {}

  /// Gives a change of `activity` its number.
  @inlinable
  mutating func number(_ change: Activity<Action>.Change) -> Activity<Action> {
    activityVersion += 1
    return Activity(version: activityVersion, change: change)
  }

  /// Closes the streams to new subscribers, which only get a completion.
  @inlinable
  func close() {
    actionAndState?.close()
    error?.close()
    actionAndError?.close()
    execution?.close()
    log?.close()
    loading?.close()
    activity?.close()
  }

  /// Releases the subscribers.
  @inlinable
  func releaseAll() {
    actionAndState?.releaseAll()
    error?.releaseAll()
    actionAndError?.releaseAll()
    execution?.releaseAll()
    log?.releaseAll()
    loading?.releaseAll()
    activity?.releaseAll()
  }

  @inlinable
  func complete() {
    actionAndState?.on(.completed)
    error?.on(.completed)
    actionAndError?.on(.completed)
    execution?.on(.completed)
    log?.complete()
    loading?.on(.completed)
    activity?.on(.completed)
  }
}

extension SubjectCore {
  @inlinable
  func close() {
    state.withLock { $0.isClosed = true }
  }
}

/// A change of the set of started and unfinished actions. `isLoadingObservable(where:)` is made from these changes.
@usableFromInline
struct Activity<Action: Sendable>: Sendable {
  @usableFromInline
  enum Change: Sendable {
    case started(UInt64, Action)
    case finished(UInt64)
    /// All unfinished actions have ended.
    case end
  }

  @usableFromInline let version: UInt64
  @usableFromInline let change: Change

  @inlinable
  init(version: UInt64, change: Change) {
    self.version = version
    self.change = change
  }
}
