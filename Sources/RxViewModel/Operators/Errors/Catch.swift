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
    let source = asObservable()
    // Neither template: another stream follows the source.
    return Observable { sink, scope in
      guard let attempt = scope.child() else { return }
      source.connect(
        { event in
          guard case .error(let error) = event else { return forward(event, to: sink) }
          // Releases the resources of the source before its replacement begins. A closure of the source may have disposed the subscription.
          guard attempt.close() else { return .noMore }
          let replacement: Observable<Element>
          do {
            replacement = try handler(error)
          } catch {
            replacement = .error(error)
          }
          if scope.isOpen { replacement.connect(sink, in: scope) }
          return .noMore
        }, in: attempt)
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
