extension ObservableType {
  /// Returns the first element: subscribes, and disposes the subscription when the element has arrived.
  ///
  ///     let user = try await session.user.compactMap { $0 }.first()
  ///
  /// Subscribes on the caller's actor, before it waits. Returns nil if the stream completes without an element. Throws the stream's error,
  /// and a `CancellationError` as soon as the awaiting task is cancelled.
  public func first(isolation: isolated (any Actor)? = #isolation) async throws -> Element? {
    let request = FirstElementRequest<Element>()
    return try await withTaskCancellationHandler {
      // The closure runs on the actor only if it captures the parameter.
      _ = isolation
      return try await withCheckedThrowingContinuation { continuation in request.start(asObservable(), continuation) }
    } onCancel: {
      request.finish(with: .failure(CancellationError()))
    }
  }
}

/// One call of `first()`.
private final class FirstElementRequest<Element: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Element?, any Error>?
    /// Set when the call has finished, which may be before `start`.
    var result: Result<Element?, any Error>?
  }

  private let state = Lock(State())
  /// Made before the source is connected, so that the end of this call can also end a source whose subscription does not return.
  private let scope = Scope()

  func start(_ source: Observable<Element>, _ continuation: CheckedContinuation<Element?, any Error>) {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let result { return continuation.resume(with: result) }
    source.connect(
      Sink(
        next: { [self] element in
          finish(with: .success(element))
          return .noMore
        }, end: { [self] error in finish(with: error.map { .failure($0) } ?? .success(nil)) }), subscribing: scope)
  }

  /// Ends the call. Only the first `finish` has an effect.
  func finish(with result: Result<Element?, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Element?, any Error>? in
      if state.result != nil { return nil }
      state.result = result
      return state.continuation.take()
    }
    scope.dispose()
    continuation?.resume(with: result)
  }
}
