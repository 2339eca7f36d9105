// How an action fails (contract 2.6, 2.7), and how its failure is retried (contract 2.15).

extension Engine {
  /// Ends the action with an error: as cancelled for a `CancellationError`, otherwise as failed (contract 2.6).
  @inlinable
  func fail(_ run: Run, _ error: any Error) {
    run.endsWithFold = false
    if !(error is CancellationError) { run.error = error }
    machine.finish(run, error is CancellationError ? .cancelled : .failed)
  }

  /// Folds the mapper that `stateMapper(for:action:)` returns for the error of a run, before the run ends. Returns true once there is
  /// nothing left to fold.
  ///
  /// Returns after each call of user code, because a cancellation that this code has requested, or another thread's `clear`, comes before
  /// the fold and before the end. The machine continues with `finishing` later.
  @inline(never)
  @inlinable
  func foldFailure(of run: Run, _ hand: inout Hand) -> Bool {
    guard let host, let error = run.error else { return true }
    if !run.hasAskedForMapper {
      run.hasAskedForMapper = true
      hand.failureMapper = host._withUnsafeGuaranteedRef { $0.stateMapper(for: error, action: run.action) }
      return false
    }
    guard let mapper = hand.failureMapper.take() else { return true }
    do {
      try makeNextState(with: mapper)
    } catch {
      if !(error is CancellationError) { run.mapperError = error }
      return false
    }
    machine.folding = run
    return false
  }

  /// Reports the error of a failed run, and after it the error that the mapper of `stateMapper(for:action:)` has thrown.
  @usableFromInline
  func reportErrors(of run: Run) {
    if let error = run.error { report(error, of: run, isThrown: run.isPerformed) }
    if let error = run.mapperError { report(error, of: run, isThrown: false) }
  }

  /// Calls `handleError`, and sends the error if that returns false. Calls `diagnose` if the error reaches no subscriber.
  ///
  /// - Parameter isThrown: Whether `perform` throws the error.
  @usableFromInline
  func report(_ error: any Error, of run: Run?, isThrown: Bool = false) {
    let action = run?.action
    guard let host, !isClosed, !host._withUnsafeGuaranteedRef({ $0.handleError(error, action: action) }), !isClosed
    else { return }
    let (errors, failures) = outputs.withLock { ($0.streams.error, $0.streams.actionAndError) }
    guard errors?.hasObservers == true || failures?.hasObservers == true else {
      if !isThrown { host._withUnsafeGuaranteedRef { $0.diagnose(.unheard(error, action)) } }
      return
    }
    errors?.on(.next(error))
    // A subscriber of the first stream may have subscribed to the second.
    guard !isClosed, let failures = outputs.withLock({ $0.streams.actionAndError }), failures.hasObservers else {
      return
    }
    failures.on(.next(ActionAndError(action: action, error: error, retrying: run.map { FailedAction($0, of: self) })))
  }

  /// Executes a failed action again, unless it has been retried already. May be called on any thread.
  func retry(_ failure: FailedAction<Host>) {
    // If the view model has been released, its engine is closed.
    guard let viewModel else { return }
    let isFirst = inbox.withLock { inbox -> Bool in
      if inbox.isClosed || failure.isRetried { return false }
      failure.isRetried = true
      return true
    }
    if !isFirst { return }
    if !failure.isScoped {
      if inbox.withLock({ $0.accept(failure.run(isAwaited: false)) }) == .needsTurn { schedule(viewModel) }
    } else if let bag = failure.bag {
      _ = accept(failure.run(isAwaited: true), in: bag, for: viewModel)
    }
  }
}

/// A failed action that can be executed again. It keeps neither the view model nor a state alive.
final class FailedAction<Host: EngineHost>: Retrying, @unchecked Sendable {
  // Sendable: `isRetried` is guarded by the lock of the engine's inbox, all else is set in init only.
  private let action: Host.Action
  private let mode: ExecutionMode
  private weak var engine: Engine<Host>?
  /// Whether the action ends with a bag.
  let isScoped: Bool
  private(set) weak var bag: DisposeBag?
  var isRetried = false

  init(_ run: ActionRun<Host.Action, Host.State>, of engine: Engine<Host>) {
    action = run.action
    mode = run.mode!
    self.engine = engine
    let scope = run.watcher as? ActionScope<Host>
    isScoped = scope != nil
    bag = scope?.bag
  }

  func retry() {
    engine?.retry(self)
  }

  func run(isAwaited: Bool) -> ActionRun<Host.Action, Host.State> {
    ActionRun(action, mode: mode, isAwaited: isAwaited)
  }
}
