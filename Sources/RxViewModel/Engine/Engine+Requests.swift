// What any thread can ask of a view model: actions, cancellations, screens.

extension Engine {
  @inlinable
  func execute(_ action: Action, for viewModel: ViewModel) {
    if !scheduleIfNeeded(inbox.withLock { $0.accept(action) }) { report(.executedAfterClear(action), for: viewModel) }
  }

  @inlinable
  func execute(_ run: Run, for viewModel: ViewModel) {
    if !scheduleIfNeeded(inbox.withLock { $0.accept(run) }) { report(.executedAfterClear(run.action), for: viewModel) }
  }

  /// Accepts the actions together, so that no other action comes between them.
  @usableFromInline
  func execute(batch actions: [Action], for viewModel: ViewModel) {
    let batch = ActionBatch()
    let runs = actions.map { ActionRun<Action, State>($0, mode: .sequence, watcher: batch) }
    let acceptances = inbox.withLock { inbox in
      batch.first = inbox.lastID + 1
      return runs.map { inbox.accept($0) }
    }
    guard let first = acceptances.first, !scheduleIfNeeded(first) else { return }
    for action in actions { report(.executedAfterClear(action), for: viewModel) }
  }

  /// Schedules the turn that an accepted action needs. Returns false if the engine is closed.
  @inlinable
  @discardableResult
  func scheduleIfNeeded(_ turn: Turn) -> Bool { turn > .unneeded ? schedule(turn) : turn == .unneeded }

  /// Reports an action that is not executed, on the calling thread. Called with no lock held.
  @usableFromInline
  func report(_ diagnostic: ViewModelDiagnostic<Action>, for viewModel: ViewModel) {
    // An override of `diagnose` may itself execute an action, which is refused too. Reporting that one as well would never end.
    let isFirst = inbox.withLock { inbox -> Bool in
      if inbox.reporters.contains(.current) { return false }
      inbox.reporters.append(.current)
      return true
    }
    if !isFirst { return }
    viewModel.diagnose(diagnostic)
    inbox.withLock { $0.reporters.removeAll(where: \.isCurrent) }
  }

  /// Reports an error that belongs to no action, on the scheduler. A cancellation is not an error (contract 2.6).
  func fail(_ error: any Error) { if !(error is CancellationError) { post(.failure(error)) } }

  @usableFromInline
  func post(_ input: EngineInput<Action, State>) { scheduleIfNeeded(inbox.withLock { $0.append(input) }) }

  func requestFlush(of lane: ExecutionMode.Lane) { post(.flush(lane, isOwn: tap != nil && Taps.origin != nil)) }

  // MARK: Cancellations (contract 2.10, 2.11)

  /// Cancels the matching actions among those accepted so far. Calls the predicate on this thread, with no lock held.
  @usableFromInline
  func cancel(_ cause: ExecutionCause, where matches: (Run) -> Bool) {
    cancel(withBoth { $0.all(&$1).filter(\.isUnfinished) }.filter(matches), cause)
  }

  /// Marks actions as ending, in the order of their acceptance: from now on none of their mappers is folded. They end before everything
  /// else that waits; a queued action ends when its turn comes.
  ///
  /// If the driver is subscribing to the effect of one of them, disposes that effect here, because the subscription may not return.
  @usableFromInline
  func cancel(_ runs: [Run], _ cause: ExecutionCause) {
    var effect: (any Disposable)?
    let turn = withBoth { shared, inbox -> Turn in
      let runs = runs.filter(\.isUnfinished)
      if shared.isClosed || runs.isEmpty { return .refused }
      let running = runs.filter { $0.stage != .queued }
      if let tap {
        let states = inbox.driver == nil ? nil : shared.states.buffer.last?.number
        if !tap.cancel(running.map(\.id), isInside: inbox.isDrivenHere, after: states) { return .refused }
      }
      for run in runs { shared.interrupt(run, as: .cancelled(cause)) }
      effect = runs.first { $0.id == shared.subscribing }?.effect.take()
      return running.isEmpty ? .unneeded : inbox.turn(.weak)
    }
    scheduleIfNeeded(turn)
    effect?.dispose()
  }

  // MARK: Screens (contract 2.12)

  /// Counts a screen as resumed. Calls `onResume` if it is the first one.
  @usableFromInline
  func resume(_ screen: UInt64, _ viewModel: ViewModel) {
    guard screens.insert(screen).inserted, screens.count == 1 else { return }
    let scope = DisposeBag()
    shared.withLock { if !$0.isClosed { $0.resumed = scope } }
    if !isOver { viewModel.onResume(scope) }
  }

  /// Counts a screen as paused. If it is the last one, calls `onPause` and then disposes the scope.
  @usableFromInline
  func pause(_ screen: UInt64, _ viewModel: ViewModel) {
    guard screens.remove(screen) != nil, screens.isEmpty, !isOver else { return }
    viewModel.onPause()
    shared.withLock { $0.resumed.take() }?.close()
  }
}
