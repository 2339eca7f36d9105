extension ObservableType {
  /// The elements as an `AsyncSequence`: `for try await state in viewModel.stateObservable.values { … }`.
  ///
  /// Reading this property subscribes at once, on the reading thread, so that the loop misses nothing that is sent afterwards. Each read is
  /// a subscription of its own. Elements wait for the loop without bound. The loop throws an error of the stream, and ends at the
  /// completion. Cancelling the loop's task, or releasing the sequence, disposes the subscription. Leaving `for … in stream.values`
  /// releases the sequence; a sequence that is kept in a variable lives as long as that variable.
  public var values: AsyncThrowingStream<Element, any Error> {
    let (stream, continuation) = AsyncThrowingStream<Element, any Error>.makeStream()
    let subscription = subscribe { event in
      switch event {
      case .next(let element): continuation.yield(element)
      case .error(let error): continuation.finish(throwing: error)
      case .completed: continuation.finish()
      }
    }
    continuation.onTermination = { _ in subscription.dispose() }
    return stream
  }
}
