// The end of an action: its outcome, its errors, its last phase. On the driver.

extension Engine {
  /// Ends an action that goes on, and has failed. A `CancellationError` ends it as cancelled. For another error, first folds the mapper that the
  /// action's child or, if no level of the child has one, the view model returns for it.
  @inlinable
  func fail(_ run: Run, _ error: any Error) {
    if run.stage == .following { return unfollow(run, error) }
    if error is CancellationError { return finish(run, .cancelled(.cancellationError)) }
    guard let viewModel else { return }
    let child = run.owner.child
    let mapper =
      child?.mapper(for: error)
      ?? viewModel.stateMapper(for: error, action: run.action).map { child?.changingAll($0) ?? $0 }
    guard let mapper else { return finish(run, .failed(error, mapperError: nil)) }
    if goesOn(run) { fold(mapper, of: run, .fails(error)) }
  }

  /// Ends an action, unless something else has ended it.
  @inlinable
  func finish(_ run: Run, _ outcome: Outcome) {
    var removed = Removed()
    if !outcome.isCompleted {
      // The effect may still run. Disposing it calls user code, which may cancel the action.
      if !goesOn(run, { _ in swap(&removed.effect, &run.effect) }) { return }
      removed.effect.take()?.dispose()
      if let optimism { takeBack(run, optimism) }
    }
    if shared.withLock({ beginEnd(run, outcome, &$0, &removed) }) { announceEnd(of: run, removed) }
  }

  /// Begins the end of an action, unless something else has ended it. Under the lock.
  ///
  /// If it has completed, and neither a stream nor its lane learns about that, it also leaves the table.
  @inlinable
  func beginEnd(_ run: Run, _ outcome: Outcome, _ shared: inout Shared, _ removed: inout Removed) -> Bool {
    if !goesOn(run, &shared) { return false }
    run.outcome = outcome
    run.beginEnd(&removed)
    if outcome.isCompleted, !isObserved, !run.showsSpinner, run.link.lane.map({ $0.count == 1 }) ?? true {
      shared.release(run)
    }
    return true
  }

  /// Disposes the effect of a run whose end has begun, reports its error, announces the end, and notifies the watcher.
  @inlinable
  func announceEnd(of run: Run, _ removed: consuming Removed) {
    let outcome = run.outcome!
    if !run.deferred.isEmpty { run.deferred = Queue() }
    removed.effect?.dispose()
    if let optimism { decide(run, outcome, optimism) }
    if outcome.stopsBatch, let batch = run.batch { shared.withLock { _ in batch.stop(at: run.id) } }
    if case .failed(let error, let mapperError) = outcome {
      report(error, of: run, isThrown: isAwaited(run))
      if let mapperError { report(mapperError, of: run) }
    }
    // After code of the user's, which may have subscribed, `emit` looks itself.
    if isObserved || !outcome.isCompleted || removed.effect != nil { emit(phase(of: run, outcome), of: run) }
    tap?.end(run.id, outcome)
    if let watcher = run.watcher { watcher.actionHasEnded(run, result(of: run, outcome)) }
    if run.link.lane != nil, run.mode!.joins { endJoined(to: run, outcome) }
    if outcome.isCompleted, !removed.followers.isEmpty { acceptFollowers(removed.followers, of: run) }
    move(run, to: nil, nil)
    endRemoved()
    run.lastState = nil
    leaveLane(run)
  }

  /// Whether a `perform` waits for the action, or for one that has joined it.
  @usableFromInline
  func isAwaited(_ run: Run) -> Bool {
    let joined = shared.withLock { _ in
      run.mode!.joins ? run.link.lane?.runs.filter { $0.mode == run.mode && $0.isUnfinished } ?? [] : []
    }
    return ([run] + joined).contains { ($0.watcher as? Awaiter<State>)?.isWaiting == true }
  }

  /// Lets the actions that have joined one end as it has ended or, if it was cancelled, lets the first of them start.
  @usableFromInline
  func endJoined(to run: Run, _ outcome: Outcome) {
    // The end of the one that it has joined looks at all of them.
    if run.link.hasJoined { return }
    let (lane, mode) = (run.link.lane!, run.mode)
    shared.withLock { shared in
      let others = lane.runs.lazy.filter { $0.mode == mode && $0.isUnfinished }
      if outcome.isOwn {
        for other in others {
          other.lastState = run.lastState ?? current
          shared.interrupt(other, as: .joined(outcome.error, to: run.id))
        }
      } else if let first = others.first(where: { _ in true }), first.stage == .joined {
        (first.stage, first.link.hasJoined) = (.next, false)
        jobs.append(.call { [self] in start(first, $0, .waited(for: run.id)) })
      }
    }
  }

  /// Removes a run that has ended from its lane, and from the table, if it is still there: after the actions before it have done so.
  @inlinable
  func leaveLane(_ run: Run) {
    let lane = run.link.lane
    if let lane {
      // If it had started, and no other could start beside it, what starts next has waited for it.
      if run.stage.isLoading, lane.candidate == nil, case .pass(let passed?, let earlier, _) = jobs.first,
        passed === lane
      {
        jobs[0] = .pass(lane, earlier, after: run.id)
      }
      lane.remove(run)
      if lane.first == nil, lane !== emptied {
        if let emptied, emptied.first == nil { lanes[emptied.key] = nil }
        emptied = lane
        if lanes.count == 1, lanes.capacity > 64 { lanes = [lane.key: lane] }
      }
    }
    if run.stage == .released { return }
    if lane == nil, jobs.isEmpty, events.isEmpty { release(run) } else { jobs.append(.pass(lane, run, after: run.id)) }
  }

  @inline(__always)
  @inlinable
  func phase(of run: Run, _ outcome: Outcome) -> Phase {
    switch outcome {
    case .completed: (.completed((run.lastState ?? current!).value), nil)
    case .failed(let error, _): (.failed(error), nil)
    case .joined(let error?, let id): (.failed(error), .joined(id))
    case .joined(nil, let id): (.completed((run.lastState ?? current!).value), .joined(id))
    case .cancelled(let cause): (.cancelled, cause)
    case .dropped(let cause): (.dropped, cause)
    }
  }

  @usableFromInline
  func result(of run: Run, _ outcome: Outcome) -> Result<AnyObject, any Error> {
    switch outcome {
    case .completed, .joined(nil, _): .success(run.lastState ?? current!)
    case .failed(let error, _), .joined(let error?, _): .failure(error)
    case .cancelled, .dropped: .failure(CancellationError())
    }
  }

  /// Calls `handleError`, and sends the error if that returns false. Calls `diagnose` if the error reaches no subscriber, no view shows the
  /// failure, and no `perform` throws it.
  @usableFromInline
  func report(_ error: any Error, of run: Run?, isThrown: Bool = false) {
    let action = run?.action
    guard let viewModel, !isOver, !viewModel.handleError(error, action: action), !isOver else { return }
    let failure = ActionAndError(action: action, error: error, retrying: run.map { FailedAction($0, of: self) })
    let isShown = show(failure)
    let streams = shared.withLock { $0.streams }
    if streams.error?.hasObservers == true || streams.actionAndError?.hasObservers == true {
      emit(error) { $0.error }
      // A subscriber of the first stream may have subscribed to the second.
      emit(failure) { $0.actionAndError }
    } else if !isThrown, !isShown, !isOver {
      viewModel.diagnose(.unobservedError(error, action))
    }
  }
}
