extension ObservableType {
  /// The elements as an `AsyncSequence`: `for try await state in viewModel.stateObservable.values { … }`.
  ///
  /// Subscribes at once, on the thread that reads this property, so that nothing sent afterwards is missed; each read is a
  /// subscription of its own. Elements wait without bound for the loop. The completion ends the loop, an error is thrown by it.
  /// Cancelling the loop's task, or dropping the sequence, disposes the subscription: leaving `for … in stream.values` drops it;
  /// a sequence that is kept in a variable goes with that.
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
