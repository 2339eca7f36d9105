// How an action ends (contract 2.6, 2.7).

extension Engine {
  @inlinable
  func finishFlight() {
    emit(flight!.state!, of: flight!.record)
    isFolding = false
    foldNested()
    endFlight(.completed(flight!.state!))
  }

  @inlinable
  func endFlight(_ phase: Phase, hasStarted: Bool = true) {
    let isOpen = mayGoOn()
    let (record, isCancelled) = (flight!.record, flight!.isCancelled)
    takeFlight()
    if isOpen { end(record, isCancelled ? .cancelled : phase, hasStarted: hasStarted) }
  }

  @inlinable
  func phase(for error: any Error) -> Phase {
    error is CancellationError ? .cancelled : .failed(error)
  }

  /// Ends a run by itself, unless it has been cancelled, or everything cleared, meanwhile.
  @inlinable
  func finish(_ run: ActionRun, _ phase: Phase) {
    if mayGoOn() { end(run, phase) }
  }

  /// Ends a run that is not over: its effect, its events, its place in the lane.
  @inlinable
  func end(_ run: ActionRun, _ phase: Phase) {
    if run.isOver || run.isEnding || isCleared { return }
    if isEnding {
      run.isEnding = true
      return agenda.append(.end(run, phase))
    }
    isEnding = true
    let effect = inbox.withLock { inbox -> (any Disposable)? in
      run.isOver = true
      inbox.runs[run.record.id] = nil
      if inbox.runs.isEmpty, inbox.runs.capacity > 64 { inbox.runs = [:] }
      return run.effect.take()
    }
    effect?.dispose()
    run.held = Queue()
    emitEnd(phase, of: run.record)
    isEnding = false
    if lanes.release(run) { agenda.append(.advance(run.record.mode)) }
    if run.hasStarted { agenda.append(.settle(run.record)) }
  }

  /// Ends an action that has no place in a lane.
  @inlinable
  func end(_ record: ActionRecord, _ phase: Phase, hasStarted: Bool = true) {
    let wasEnding = isEnding
    isEnding = true
    emitEnd(phase, of: record)
    isEnding = wasEnding
    if hasStarted { agenda.append(.settle(record)) }
  }

  @inlinable
  func emitEnd(_ phase: Phase, of record: ActionRecord) {
    switch phase {
    case .failed(let error):
      record.ticket?.batch?.breaks(at: record.id)
      report(error, of: record.action)
    case .cancelled:
      record.ticket?.batch?.breaks(at: record.id)
    default:
      break
    }
    emit(phase, of: record)
    resume(record.ticket, phase)
  }

  /// The action does not count as loading any more.
  @inlinable
  func settle(_ record: ActionRecord) {
    if isCleared { return }
    if record.showsSpinner {
      spinning -= 1
      if spinning == 0 { setLoading(false) }
    }
    if !isObserved { return }
    let (core, activity) = inbox.withLock { $0.streams.note(.finished(record.id)) }
    if !isCleared { core?.on(.next(activity)) }
  }
}
