// The streams other than the state stream. A stream that has never had a subscriber costs nothing.

extension Engine {
  @inlinable
  func emit(_ phase: Phase, of run: Run) {
    let (executions, log) = outputs.withLock { ($0.streams.execution, $0.streams.log) }
    if let executions, !isClosed { executions.on(.next(execution(phase, of: run))) }
    if let log { send(phase, of: run, to: log) }
  }

  @inlinable
  func execution(_ phase: Phase, of run: Run) -> Execution<Action, State> {
    Execution(id: run.id, action: run.action, mode: run.mode!, phase: phase)
  }

  /// Sends a change to the subscribers of `isLoadingObservable(where:)`.
  @inlinable
  func track(_ change: ActivityChange.Change) {
    let (core, activity) = outputs.withLock { ($0.streams.activity, $0.streams.number(change)) }
    if !isClosed { core?.on(.next(activity)) }
  }

  @inlinable
  func setLoading(_ isLoading: Bool) {
    let core = outputs.withLock { outputs in
      outputs.streams.isLoading = isLoading
      return outputs.streams.loading
    }
    core?.on(.next(isLoading))
  }

  /// The stream at `path`, made when it gets its first subscriber. It does not keep the view model alive.
  @usableFromInline
  func stream<Element: Sendable>(
    _ path: WritableKeyPath<Streams<Action, State>, SubjectCore<Element>?> & Sendable, observesActions: Bool = false,
    make: @escaping @Sendable (Streams<Action, State>) -> SubjectCore<Element> = { _ in SubjectCore() }
  ) -> Observable<Element> {
    Observable { [self] sink in core(path, observesActions: observesActions, make: make).connect(sink) }
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
}
