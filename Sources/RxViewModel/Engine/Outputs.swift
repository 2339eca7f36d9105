/// The data that readers and the driver share. It has a lock of its own, which `execute` never takes.
@usableFromInline
struct Outputs<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Run = EngineRun<Action, State>

  /// Whether the driver may begin an action or set a state.
  @usableFromInline
  enum Gate {
    case open
    /// The driver must first handle the cancellations in the inbox.
    case interrupted
    case closed
  }

  /// The state stream. It is here so that the driver can check the gate and set a state under one lock.
  @usableFromInline var states = SubjectState<Box<State>>(ReplayBuffer(size: 1))
  @usableFromInline var streams = Streams<Action, State>()
  /// The sources, and the actions that have a lane or have started, until they stop counting as loading.
  @usableFromInline var runs: [Run] = []
  @usableFromInline var gate = Gate.open

  @inlinable
  init() {}

  @inlinable
  mutating func add(_ run: Run) {
    guard case .none = run.place else { return }
    run.place = .silent(at: runs.count)
    runs.append(run)
  }

  /// Counts an action as loading.
  @inlinable
  mutating func addLoading(_ run: Run) {
    if case .silent(let index) = run.place {
      run.place = .loading(at: index)
    } else {
      run.place = .loading(at: runs.count)
      runs.append(run)
    }
  }

  /// Removes a run. The last run of the table takes its place. The caller retains the removed run. O(1).
  @inlinable
  mutating func remove(_ run: Run) {
    switch run.place {
    case .none: return
    case .silent(let index), .loading(let index):
      let last = runs.removeLast()
      if last !== run {
        runs[index] = last
        last.place = last.isLoading ? .loading(at: index) : .silent(at: index)
      }
    }
    run.place = .none
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
    for stream in streams.all { stream.close() }
    return runs.compactMap { run in run.effect.end().map { (run.id, $0) } }
  }
}

/// The streams of a view model that have had a subscriber. The other streams cost nothing.
@usableFromInline
struct Streams<Action: Sendable, State: Sendable> {
  @usableFromInline var actionAndState: SubjectCore<ActionAndState<Action, State>>?
  @usableFromInline var error: SubjectCore<any Error>?
  @usableFromInline var actionAndError: SubjectCore<ActionAndError<Action>>?
  @usableFromInline var execution: SubjectCore<Execution<Action, State>>?
  @usableFromInline var loading: SubjectCore<LoadingChange<Action, State>>?
  /// The outputs of the feature that a ``FeatureViewModel`` is made of.
  @usableFromInline var outputs: (any ViewModelStream)?
  /// Whether a stream has had a subscriber that emits more than the state for every action.
  @usableFromInline var isObserved = false

  @inlinable
  init() {}

  @inlinable
  var all: [any ViewModelStream] {
    let streams: [(any ViewModelStream)?] = [actionAndState, error, actionAndError, execution, outputs, loading]
    return streams.compactMap { $0 }
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

/// An action that starts or stops counting as loading. Both loading streams are made from these changes, and from the table of runs.
@usableFromInline typealias LoadingChange<Action: Sendable, State: Sendable> = (
  run: EngineRun<Action, State>, isLoading: Bool
)

// MARK: The streams other than the state stream. A stream that has never had a subscriber costs nothing.

extension Engine {
  /// Emits a step of an action. Makes the phase only for a stream that has had a subscriber.
  @inlinable
  func emit(
    _ phase: @autoclosure () -> Phase, of run: Run, _ reason: Execution<Action, State>.Reason = .none
  ) {
    guard isObserved, let executions = core({ $0.execution }) else { return }
    let execution = Execution(
      id: run.id, action: run.action, mode: run.mode!, phase: phase(), reason: reason)
    executions.on(.next(execution))
    _ = mayContinue()
  }

  @inlinable
  func emitLoading(_ isLoading: Bool, of run: Run) {
    guard let changes = core({ $0.loading }) else { return }
    changes.on(.next((run, isLoading)))
    _ = mayContinue()
  }

  /// The stream to which the driver may emit now, if it has had a subscriber.
  @inlinable
  func core<Element>(_ stream: (Streams<Action, State>) -> SubjectCore<Element>?) -> SubjectCore<Element>? {
    let core = outputs.withLock { outputs in
      _ = passes(outputs)
      return stream(outputs.streams)
    }
    return isClosed ? nil : core
  }

  /// The stream at `path`, made when it gets its first subscriber. It does not keep the view model alive.
  @usableFromInline
  func stream<Element: Sendable>(
    _ path: WritableKeyPath<Streams<Action, State>, SubjectCore<Element>?> & Sendable, observesActions: Bool = false
  ) -> Observable<Element> {
    Observable(.subject { [self] in makeCore(path, observesActions: observesActions).connect($0, $1) })
  }

  func makeCore<Element: Sendable>(
    _ path: WritableKeyPath<Streams<Action, State>, SubjectCore<Element>?> & Sendable, observesActions: Bool
  ) -> SubjectCore<Element> {
    outputs.withLock { outputs in
      if observesActions { outputs.streams.isObserved = true }
      if let core = outputs.streams[keyPath: path] { return core }
      let core = SubjectCore<Element>()
      if outputs.gate == .closed { core.close() }
      outputs.streams[keyPath: path] = core
      return core
    }
  }

  // MARK: The loading streams

  /// Whether a started action that matches is unfinished: the value at the time of the subscription, then each change.
  ///
  /// The changes wait until `matches` has been called for the running actions. The start of one of these may be among the changes.
  ///
  /// - Parameter isForSpinner: Whether `matches` is false for all actions without a spinner.
  @usableFromInline
  func loading(isForSpinner: Bool = false, where matches: @escaping @Sendable (Run) -> Bool) -> Observable<Bool> {
    Observable { [self] sink, scope in
      let loading = SubscriptionState<Set<UInt64>>([])
      let running = SubscriptionState<Set<UInt64>>([])
      let receive: (Event<LoadingChange<Action, State>>) -> Demand = { [self] event in
        let wasLoading = !loading.value.isEmpty
        guard case .next(let (run, starts)) = event else {
          return wasLoading && sink(.next(false)) == .noMore ? .noMore : sink(.completed)
        }
        if !starts {
          loading.value.remove(run.id)
        } else if !running.value.contains(run.id), outputs.withLock({ $0.gate }) != .closed, matches(run) {
          loading.value.insert(run.id)
        }
        let isLoading = !loading.value.isEmpty
        return isLoading == wasLoading ? .more : sink(.next(isLoading))
      }
      let serial = Serial<Event<LoadingChange<Action, State>>>(in: scope)
      scope.connect(makeCore(\.loading, observesActions: !isForSpinner).stream, to: serial) { $0 }
      let (runs, gate) = outputs.withLock { ($0.runs.filter(\.isLoading), $0.gate) }
      if gate != .closed {
        running.value = Set(runs.map(\.id))
        loading.value = Set(runs.filter(matches).map(\.id))
        _ = sink(.next(!loading.value.isEmpty))
      }
      serial.start(receive)
    }
  }
}
