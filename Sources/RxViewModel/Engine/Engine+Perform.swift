// `perform`: an action that somebody awaits.

extension Engine {
  @inlinable
  func perform(_ action: Action, mode: ExecutionMode?, for viewModel: ViewModel) async throws -> State {
    let ticket = Ticket<State>(mode: mode)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        accept(action, ticket, continuation, for: viewModel)
      }
    } onCancel: {
      cancel(ticket)
    }
  }

  @inlinable
  func accept(
    _ action: Action, _ ticket: Ticket<State>, _ continuation: CheckedContinuation<State, any Error>,
    for viewModel: ViewModel
  ) {
    var needsTurn = false
    let isAccepted = inbox.withLock { inbox -> Bool in
      if inbox.isClosed || ticket.isCancelled { return false }
      ticket.continuation = continuation
      inbox.tickets[ObjectIdentifier(ticket)] = ticket
      needsTurn = inbox.accept(action, ticket)
      return true
    }
    if needsTurn { schedule(viewModel) }
    if !isAccepted { continuation.resume(throwing: CancellationError()) }
  }

  /// Cancels the action that was given `ticket`, also if it is not accepted yet.
  @usableFromInline
  func cancel(_ ticket: Ticket<State>) {
    inbox.withLock { _ in ticket.isCancelled = true }
    cancel { $1 === ticket }
  }

  @inlinable
  func resume(_ ticket: Ticket<State>?, _ phase: Phase) {
    guard let ticket else { return }
    let continuation = inbox.withLock { inbox in
      inbox.tickets[ObjectIdentifier(ticket)] = nil
      if inbox.tickets.isEmpty, inbox.tickets.capacity > 64 { inbox.tickets = [:] }
      return ticket.continuation.take()
    }
    switch phase {
    case .completed(let state): continuation?.resume(returning: state)
    case .failed(let error): continuation?.resume(throwing: error)
    default: continuation?.resume(throwing: CancellationError())
    }
  }
}
