// How an action ends: by itself, with an error, or by a cancellation (contract 2.6, 2.7, 2.11).

extension Engine {
  /// Ends the first run of `ends`.
  @inlinable
  func end() {
    _ = mayContinue()
    if let (run, outcome) = machine.ends.popFirst() { end(run, outcome) }
  }

  /// Disposes the effect of a run, reports its error, announces the end, and resumes the task that awaits it.
  @inlinable
  func end(_ run: Run, _ outcome: RunOutcome) {
    guard let host else { return }
    run.stage = .ending
    if machine.allowance.ends > 0 { machine.allowance.ends -= 1 }
    if case nil = run.mode, !isCleared() {
      run.mode = mode(of: run, host)
      _ = mayContinue()
    }
    // Before the effect is disposed, so that its dispose actions find the action ended.
    let followers = run.port == nil ? nil : closePort(of: run, outcome)
    dispose(run)
    if isClosed { return }
    switch outcome {
    case .completed, .dropped, .refused: break
    case .cancelled, .superseded: run.batch?.stop(at: run.id)
    case .failed(let error, let mapperError):
      run.batch?.stop(at: run.id)
      report(error, of: run, isThrown: run.isPerformed)
      if let mapperError { report(mapperError, of: run) }
    }
    emit(lastPhase(of: run, outcome), of: run, reason(of: outcome))
    if isClosed { return }
    tap?.end(run.id)
    if case .none = run.listener {} else { notifyListener(of: run, outcome) }
    if let followers, !followers.isEmpty {
      // They do not follow an instance that has gone with the last fold.
      if let node = run.node { readLater(node) }
      accept(followers, after: run)
    }
    unbind(run)
    if !machine.hasEnded(run, isDisturbed: isDisturbed) { release(run) }
  }

  /// Called at the end of the run. If the last fold is that of the run, the current state is the one that it has made.
  @inlinable
  func lastPhase(of run: Run, _ outcome: RunOutcome) -> Phase {
    switch outcome {
    case .completed: .completed((run.lastState ?? current!).value)
    case .failed(let error, _): .failed(error)
    case .cancelled, .superseded: .cancelled
    case .dropped, .refused: .dropped
    }
  }

  /// The end, as the tools for tests describe it.
  @inlinable
  func reason(of outcome: RunOutcome) -> Execution<Action, State>.Reason {
    switch outcome {
    case .superseded: .superseded
    case .refused: .refused
    case .completed, .failed, .cancelled, .dropped: .none
    }
  }

  /// The mode of an action that ends before it has been asked for. Nil if the engine has been closed meanwhile.
  @usableFromInline
  func mode(of run: Run, _ host: Unmanaged<Host>) -> ExecutionMode? {
    let child: ChildAction<Action, State>? =
      switch run.binding {
      case .none, .owned, .again:
        // `child(for:)` has answered already if the action was put aside after that.
        if case (let other, .bind(let found))? = machine.beginning, other === run {
          found
        } else {
          host._withUnsafeGuaranteedRef { $0.child(for: run.action) }
        }
      case .own: nil
      case .child(let binding): binding.child
      }
    if isCleared() { return nil }
    return child?.station.mode() ?? host._withUnsafeGuaranteedRef { $0.executionMode(for: run.action) }
  }

  /// Disposes the effect, and releases what it has sent.
  @inlinable
  func dispose(_ run: Run) {
    if !run.hasEffect { return }
    var (held, mail) = (Queue<Event<Mapper>>(), Queue<Event<Mapper>>())
    swap(&held, &run.held)
    let effect = inbox.withLock { _ in
      swap(&mail, &run.mail.items)
      return run.effect.end()
    }
    effect?.dispose()
    _ = mayContinue()
  }

  /// Stops counting the action as loading, after the actions that waited for it have begun.
  @inlinable
  func stopLoading() {
    if case .stopLoading(let run)? = machine.jobs.popFirst() { release(run) }
  }

  /// Removes an ended run from the table.
  @inlinable
  func release(_ run: Run) {
    if machine.allowance.releases > 0 { machine.allowance.releases -= 1 }
    let wasLoading = run.isLoading
    outputs.withLock { outputs in
      outputs.remove(run)
      _ = passes(outputs)
    }
    if wasLoading, run.showsSpinner || isObserved { emitLoading(false, of: run) }
  }

  /// Tells the watcher of the run, or the task that awaits it, that it has ended. This breaks the cycle between the run and the watcher.
  @inlinable
  func notifyListener(of run: Run, _ outcome: RunOutcome) {
    switch run.listener {
    case .none: break
    case .watcher(let watcher):
      run.listener = .none
      watcher.actionHasEnded(run)
      _ = mayContinue()
    case .task: resumeTask(of: run, outcome)
    }
  }

  @usableFromInline
  func resumeTask(of run: Run, _ outcome: RunOutcome) {
    guard case .continuation(let continuation)? = inbox.withLock({ $0.removeAwaiting(run) }) else { return }
    switch outcome {
    case .completed: continuation.resume(returning: run.lastState ?? current!)
    case .failed(let error, _): continuation.resume(throwing: error)
    case .cancelled, .superseded, .dropped, .refused: continuation.resume(throwing: CancellationError())
    }
  }

  // MARK: Errors

  /// Ends the action with an error: as cancelled for a `CancellationError`, otherwise as failed (contract 2.6).
  ///
  /// - Parameter end: The end that would have followed the fold whose mapper has thrown the error.
  @inlinable
  func fail(_ run: Run, _ error: any Error, in end: Machine<Action, State>.FoldEnd = .more) {
    let isCancellation = error is CancellationError
    switch end {
    case .fails(let first): finish(run, .failed(first, mapperError: isCancellation ? nil : error))
    case .ofSource: unfollow(run, error)
    case .more, .completes:
      if isCancellation { return finish(run, .cancelled) }
      askForErrorMapper(run, error, at: run.child?.node.level ?? 0)
    }
  }

  /// Calls `handleError`, and sends the error if that returns false. Calls `diagnose` if the error reaches no subscriber.
  ///
  /// - Parameter isThrown: Whether `perform` throws the error.
  @usableFromInline
  func report(_ error: any Error, of run: Run?, isThrown: Bool = false) {
    defer { _ = mayContinue() }
    let action = run?.action
    guard let host, !isCleared(), !host._withUnsafeGuaranteedRef({ $0.handleError(error, action: action) }),
      !isCleared()
    else { return }
    let (errors, failures) = outputs.withLock { ($0.streams.error, $0.streams.actionAndError) }
    guard errors?.hasObservers == true || failures?.hasObservers == true else {
      if !isThrown { host._withUnsafeGuaranteedRef { $0.diagnose(.unheard(error, action)) } }
      return
    }
    errors?.on(.next(error))
    // A subscriber of the first stream may have subscribed to the second.
    guard !isCleared(), let failures = outputs.withLock({ $0.streams.actionAndError }), failures.hasObservers else {
      return
    }
    failures.on(.next(ActionAndError(action: action, error: error, retrying: run.map { FailedAction($0, of: self) })))
  }

  // MARK: Cancellations

  /// Adds the actions that a request means to the machine's `ends`, in the order of their acceptance.
  ///
  /// A request for one action is O(1). A request with a predicate is O(n log n) in the number of unfinished actions.
  @usableFromInline
  func cancel() {
    machine.allowance.cancellations -= 1
    if machine.backlog > 0 { machine.backlog -= 1 }
    var runs: [Run] = []
    switch machine.cancellations.popFirst() {
    case .one(let run): runs = [run]
    case .several(let several): runs = several
    case .matching(let matches, let last, let answers): runs = found(upTo: last, where: matches, answers)
    case nil: return
    }
    if let tap {
      let unfinished = runs.filter { $0.stage != .ending && $0.stage != .over }
      let isWaiting = { [beginning = machine.beginning?.run] (run: Run) in run.stage == .queued && run !== beginning }
      tap.cancel(unfinished.filter { !isWaiting($0) }.map(\.id), unfinished.filter(isWaiting).map(\.tapped))
    }
    for run in runs { machine.end(run, .cancelled) }
  }

  private func found(upTo last: UInt64, where matches: (Action) -> Bool, _ answers: [Machine<Action, State>.Answer])
    -> [Run]
  {
    var candidates = outputs.withLock { $0.runs }
    if let run = machine.beginning?.run, !candidates.contains(where: { $0 === run }) { candidates.append(run) }
    candidates = candidates.filter { $0.id <= last && $0.stage != .over }.sorted { $0.id < $1.id }
    var cancelled = candidates.filter { run in
      !isCleared() && (answers.first { $0.run === run }?.isMatch ?? matches(run.action))
    }
    // The engine has accepted the actions in the queue after all actions that have a run in the table.
    for offset in machine.inputs.indices {
      switch machine.inputs[offset] {
      case .action(let id, let action):
        guard id <= last, !isCleared(), matches(action) else { continue }
        let run = ActionRun<Action, State>(action, id: id)
        machine.inputs[offset] = .run(run)
        cancelled.append(run)
      case .run(let run):
        if run.id <= last, run.stage == .queued, !isCleared(), matches(run.action) { cancelled.append(run) }
      case .event, .quiet, .failure, .resume, .pause, .call: break
      }
    }
    _ = mayContinue()
    return cancelled
  }
}
