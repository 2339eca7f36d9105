extension ObservableType {
  /// Continues with the stream that `handler` returns when the source ends with an error.
  ///
  ///     source           --1--2--#
  ///     other                    --8--9--|
  ///     catch { other }  --1--2----8--9--|
  ///
  /// Calls `handler`, and subscribes to its stream, on the thread of the error. An error of that stream, or an error
  /// that `handler` throws, ends the stream.
  @inlinable
  public func `catch`(
    _ handler: @escaping @Sendable (any Error) throws -> Observable<Element>
  ) -> Observable<Element> {
    .composing(asObservable()) { source, sink in
      let serializer = EventSerializer<Event<Element>> { forward($0, to: sink) }
      let subscriptions = CompositeDisposable(closing: serializer)
      let key = subscriptions.reserve()
      return subscriptions.connecting(source, key) { event in
        // Releases the resources of the source before its replacement begins.
        if event.isTerminal { subscriptions.dispose(key) }
        guard case .error(let error) = event else {
          return subscriptions.dispose(unlessWanted: serializer.send(event))
        }
        let replacement: Observable<Element>
        do {
          replacement = try handler(error)
        } catch {
          replacement = .error(error)
        }
        subscriptions.connect(replacement, to: serializer) { $0 }
        return .noMore
      }
    }
  }

  /// Sends `element` instead of an error, then completes.
  ///
  ///     source             --1--2--#
  ///     catchAndReturn(9)  --1--2--(9|)
  @inlinable
  public func catchAndReturn(_ element: Element) -> Observable<Element> {
    `catch` { _ in .just(element) }
  }
}
