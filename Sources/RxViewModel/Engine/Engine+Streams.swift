// What the engine sends beside the state, each to nobody if nobody has ever listened.

extension Engine {
  @inlinable
  func emit(_ phase: Phase, of record: ActionRecord) {
    guard let core = inbox.withLock({ $0.streams.execution }), !isCleared else { return }
    let isOutermost = !isAnnouncing
    isAnnouncing = true
    core.on(.next(Execution(id: record.id, action: record.action, mode: record.mode, phase: phase)))
    if isOutermost { finishAnnouncing() }
  }

  /// What was folded inside the callbacks has been announced behind them: that fold is over now.
  @inlinable
  func finishAnnouncing() {
    isAnnouncing = false
    if !isFoldUnannounced { return }
    isFoldUnannounced = false
    isFolding = false
    foldNested()
  }

  /// What follows a folded state on the other streams.
  @inlinable
  func emit(_ state: State, of record: ActionRecord) {
    guard isObserved, !isCleared else { return }
    let core = inbox.withLock { $0.streams.actionAndState }
    core?.on(.next(ActionAndState(action: record.action, state: state)))
    emit(.emitted(state), of: record)
  }

  /// Asks `handleError`, and sends the error if that does not take care of it.
  @inlinable
  func report(_ error: any Error, of action: Action?) {
    guard let host, !isCleared, !host._withUnsafeGuaranteedRef({ $0.handleError(error, action: action) }), !isCleared
    else { return }
    let errors = inbox.withLock { $0.streams.error }
    errors?.on(.next(error))
    let actionsAndErrors = inbox.withLock { $0.streams.actionAndError }
    if !isCleared { actionsAndErrors?.on(.next(ActionAndError(action: action, error: error))) }
  }

  @inlinable
  func setLoading(_ isLoading: Bool) {
    let core = inbox.withLock { inbox in
      inbox.streams.isLoading = isLoading
      return inbox.streams.loading
    }
    core?.on(.next(isLoading))
  }

  /// The stream at `path`, made when it is subscribed for the first time. It does not keep the view model alive.
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
      if let core = inbox.streams[keyPath: path] { return core }
      let core = make(inbox.streams)
      if inbox.isClosed { core.seal() }
      inbox.streams[keyPath: path] = core
      if observesActions {
        inbox.streams.isObserved = true
        if inbox.isDrainedHere { isObserved = true }
      }
      return core
    }
  }
}
