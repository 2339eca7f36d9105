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
    .sequence(asObservable(), false) { hasFailed, end in
      guard !hasFailed, case .error(let error) = end else { return nil }
      hasFailed = true
      do {
        return try handler(error)
      } catch {
        return .error(error)
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
