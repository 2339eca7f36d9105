extension ObservableType {
  /// The elements as an `AsyncSequence`: `for try await state in viewModel.stateObservable.values { … }`.
  ///
  /// Reading this property subscribes immediately, on the reading thread, so that the loop misses nothing that is sent afterwards. Each
  /// read is a subscription of its own. Elements wait for the loop without a limit. If the stream fails, the loop throws its error; it ends
  /// when the stream completes.
  ///
  /// To end the subscription, cancel the loop's task, or release the sequence. Leaving `for … in stream.values` releases the sequence; one
  /// that you keep in a variable lives as long as that variable.
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
