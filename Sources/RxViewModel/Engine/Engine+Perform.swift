// `perform`: an action that a task awaits.

extension Engine {
  @inlinable
  func perform(_ action: Action, mode: ExecutionMode?, for viewModel: Host) async throws -> State {
    let run = Run(action, mode: mode, isAwaited: true)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        accept(run, continuation, for: viewModel)
      }
    } onCancel: {
      cancel(run)
    }
  }

  @inlinable
  func accept(_ run: Run, _ continuation: CheckedContinuation<State, any Error>, for viewModel: Host) {
    var needsTurn = false
    let isAccepted = inbox.withLock { inbox -> Bool in
      if inbox.isClosed || run.isTaskCancelled { return false }
      run.continuation = continuation
      inbox.awaited[ObjectIdentifier(run)] = run
      needsTurn = inbox.accept(run) == .needsTurn
      return true
    }
    if needsTurn { schedule(viewModel) }
    if !isAccepted { continuation.resume(throwing: CancellationError()) }
  }

  /// Notifies the watcher of the run that the run has ended, or resumes the task that awaits the run. This breaks the
  /// cycle between the run and the watcher or the task.
  @usableFromInline
  func resume(_ run: Run, _ phase: Phase) {
    if let watcher = run.watcher.take() { return watcher.actionHasEnded(run) }
    let continuation = inbox.withLock { inbox in
      inbox.awaited[ObjectIdentifier(run)] = nil
      if inbox.awaited.isEmpty, inbox.awaited.capacity > 64 { inbox.awaited = [:] }
      return run.continuation.take()
    }
    switch phase {
    case .completed(let state): continuation?.resume(returning: state)
    case .failed(let error): continuation?.resume(throwing: error)
    default: continuation?.resume(throwing: CancellationError())
    }
  }
}
