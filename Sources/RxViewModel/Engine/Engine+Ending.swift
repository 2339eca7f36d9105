// How an action ends (contract 2.6, 2.7).

extension Engine {
  /// Ends the first run of `ends`: disposes its effect, reports its error, announces the end, and resumes the task that awaits it.
  @inlinable
  func end() {
    guard let host, let run = machine.ends.popFirst() else { return }
    if run.mode == nil { run.mode = host._withUnsafeGuaranteedRef { $0.executionMode(for: run.action) } }
    var held = Queue<Event<Mapper>>()
    swap(&held, &run.held)
    dispose(run)
    if isClosed { return }
    let phase = phase(of: run)
    if run.outcome == .failed || run.outcome == .cancelled { run.batch?.breaks(at: run.id) }
    if run.outcome == .failed { reportErrors(of: run) }
    emit(phase, of: run)
    if run.isAwaited { resume(run, phase) }
    machine.hasEnded(run)
    if !run.hasStarted { outputs.withLock { $0.remove(run) } }
  }

  @inlinable
  func dispose(_ run: Run) {
    if !run.hasEffect { return }
    let effect = inbox.withLock { _ in
      run.isOver = true
      return run.effect.take()
    }
    effect?.dispose()
  }

  @inlinable
  func phase(of run: Run) -> Phase {
    switch run.outcome {
    case .completed: .completed(run.lastState!.value)
    case .failed: .failed(run.error!)
    case .cancelled: .cancelled
    case .dropped: .dropped
    }
  }

  /// Stops counting the action as loading, after the actions that waited for it have begun.
  @inlinable
  func stopLoading() {
    guard case .stopLoading(let run)? = machine.jobs.popFirst() else { return }
    if run.showsSpinner {
      spinning -= 1
      if spinning == 0 { setLoading(false) }
    }
    let isTracked = outputs.withLock { outputs in
      outputs.remove(run)
      return outputs.streams.activity != nil
    }
    if isTracked { track(.finished(run.id)) }
  }
}
