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
  @usableFromInline var states = SubjectState<State>(ReplayBuffer(size: 1))
  @usableFromInline var streams = Streams<Action, State>()
  /// The actions that have a lane or have started, until they stop counting as loading. The action in `begun` is not
  /// here.
  @usableFromInline var runs: [Run] = []
  /// The action begun last. Most actions end before another one begins, and so need no place in the table.
  @usableFromInline var begun: Run?
  @usableFromInline var gate = Gate.open
  /// The children of the state that have embedded streams. Nil before the first.
  @usableFromInline var children: EmbeddedChildren<State>?

  @inlinable
  init() {}

  @inlinable
  mutating func add(_ run: Run) {
    if begun === run { begun = nil }
    if run.index >= 0 { return }
    run.index = runs.count
    runs.append(run)
  }

  /// Counts an action as loading. It replaces the action begun before, if that has ended silently; otherwise that one
  /// moves into the table.
  @inlinable
  mutating func begin(_ run: Run) {
    if let begun { add(begun) }
    run.isLoading = true
    begun = run
  }

  /// All the actions, including the one begun last. O(n).
  @inlinable
  var all: [Run] {
    begun.map { runs + [$0] } ?? runs
  }

  /// Removes a run. The last run of the table takes its place. The caller retains the removed run. O(1).
  @inlinable
  mutating func remove(_ run: Run) {
    run.isLoading = false
    if begun === run { begun = nil }
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
    streams.withEach { $0.close() }
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
  @usableFromInline var loading: SubjectCore<Bool>?
  @usableFromInline var activity: SubjectCore<ActivityChange<Action>>?
  @usableFromInline var isLoading = false
  /// Whether a stream has had a subscriber that emits more than the state for every action.
  @usableFromInline var isObserved = false

  @inlinable
  init() {}

  // An array of the streams would be an allocation.
  @inlinable
  func withEach(_ body: (any ViewModelStream) -> Void) {
    if let actionAndState { body(actionAndState) }
    if let error { body(error) }
    if let actionAndError { body(actionAndError) }
    if let execution { body(execution) }
    if let loading { body(loading) }
    if let activity { body(activity) }
  }
}

/// A stream with the type of its elements erased.
@usableFromInline
protocol ViewModelStream: AnyObject {
  /// Closes the stream to new subscribers, which only get a completion.
  func close()
  /// Releases the subscribers.
  func releaseAll()
  func complete()
}

extension SubjectCore: ViewModelStream {
  @inlinable
  func close() {
    state.withLock { $0.isClosed = true }
  }

  @inlinable
  func complete() {
    on(.completed)
  }
}

/// A change of the set of started and unfinished actions. `isLoadingObservable(where:)` is made from these changes.
@usableFromInline
enum ActivityChange<Action: Sendable>: Sendable {
  case started(UInt64, Action)
  case finished(UInt64)
}

// MARK: The streams other than the state stream. A stream that has never had a subscriber costs nothing.

extension Engine {
  @inlinable
  func emit(_ phase: Phase, of run: Run, isSuperseded: Bool = false) {
    let executions = outputs.withLock { outputs in
      _ = passes(outputs.gate)
      return outputs.streams.execution
    }
    if let executions, !isClosed { executions.on(.next(execution(phase, of: run, isSuperseded: isSuperseded))) }
  }

  @inlinable
  func execution(_ phase: Phase, of run: Run, isSuperseded: Bool) -> Execution<Action, State> {
    Execution(id: run.id, action: run.action, mode: run.mode!, phase: phase, isSuperseded: isSuperseded)
  }

  /// Sends a change to the subscribers of `isLoadingObservable(where:)`.
  @inlinable
  func track(_ change: ActivityChange<Action>) {
    let core = outputs.withLock { outputs in
      _ = passes(outputs.gate)
      return outputs.streams.activity
    }
    if !isClosed { core?.on(.next(change)) }
  }

  @inlinable
  func setLoading(_ isLoading: Bool) {
    let core = outputs.withLock { outputs in
      _ = passes(outputs.gate)
      if !isClosed { outputs.streams.isLoading = isLoading }
      return outputs.streams.loading
    }
    if !isClosed { core?.on(.next(isLoading)) }
  }

  /// The stream at `path`, made when it gets its first subscriber. It does not keep the view model alive.
  @usableFromInline
  func stream<Element: Sendable>(
    _ path: WritableKeyPath<Streams<Action, State>, SubjectCore<Element>?> & Sendable, observesActions: Bool = false,
    make: @escaping @Sendable (Streams<Action, State>) -> SubjectCore<Element> = { _ in SubjectCore() }
  ) -> Observable<Element> {
    Observable(.subject { [self] in core(path, observesActions: observesActions, make: make).connect($0, $1) })
  }

  func core<Element: Sendable>(
    _ path: WritableKeyPath<Streams<Action, State>, SubjectCore<Element>?> & Sendable, observesActions: Bool,
    make: (Streams<Action, State>) -> SubjectCore<Element>
  ) -> SubjectCore<Element> {
    inbox.withLock { inbox in
      if observesActions, inbox.isDrivenHere { isObserved = true }
      return outputs.withLock { outputs in
        if let core = outputs.streams[keyPath: path] { return core }
        let core = make(outputs.streams)
        if outputs.gate == .closed { core.close() }
        outputs.streams[keyPath: path] = core
        if observesActions { outputs.streams.isObserved = true }
        return core
      }
    }
  }

  // MARK: `isLoadingObservable(where:)`

  /// Whether a started action that matches is unfinished: the value at the time of the subscription, then each change.
  ///
  /// The changes wait until the predicate has been called for the running actions. The start of one of these may be among the changes.
  @usableFromInline
  func loading(where matches: @escaping @Sendable (Action) -> Bool) -> Observable<Bool> {
    Observable { [self] sink, scope in
      let loading = SubscriptionState<Set<UInt64>>([])
      let running = SubscriptionState<Set<UInt64>>([])
      let receive: (Event<ActivityChange<Action>>) -> Demand = { event in
        let wasLoading = !loading.value.isEmpty
        guard case .next(let change) = event else {
          return wasLoading && sink(.next(false)) == .noMore ? .noMore : sink(.completed)
        }
        switch change {
        case .started(let id, let action): if !running.value.contains(id), matches(action) { loading.value.insert(id) }
        case .finished(let id): loading.value.remove(id)
        }
        let isLoading = !loading.value.isEmpty
        return isLoading == wasLoading ? .more : sink(.next(isLoading))
      }
      let serial = Serial<Event<ActivityChange<Action>>>(in: scope)
      scope.connect(core(\.activity, observesActions: true) { _ in SubjectCore() }.stream, to: serial) { $0 }
      let (runs, gate) = outputs.withLock { ($0.all.filter(\.isLoading).map { ($0.id, $0.action) }, $0.gate) }
      if gate != .closed {
        running.value = Set(runs.map(\.0))
        loading.value = Set(runs.filter { matches($0.1) }.map(\.0))
        _ = sink(.next(!loading.value.isEmpty))
      }
      serial.start(receive)
    }
  }
}
