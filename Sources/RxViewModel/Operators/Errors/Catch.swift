extension ObservableType {
  /// When the source fails, continues with the stream that `handler` returns.
  ///
  ///     source           --1--2--#
  ///     other                    --8--9--|
  ///     catch { other }  --1--2----8--9--|
  ///
  /// Calls `handler`, and subscribes to its stream, on the thread of the error. If the source is still being subscribed then, the thread that
  /// does so subscribes to that stream afterwards. An error of that stream, or an error that `handler` throws, ends the stream.
  @inlinable
  public func `catch`(
    _ handler: @escaping @Sendable (any Error) throws -> Observable<Element>
  ) -> Observable<Element> {
    .sequence(asObservable(), false) { hasFailed, error in
      guard let error, !hasFailed else { return nil }
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
  public func catchAndReturn(_ element: Element) -> Observable<Element> { `catch` { _ in .just(element) } }

  /// Completes instead of failing.
  ///
  ///     source          --1--2--#
  ///     demoteErrors()  --1--2--|
  ///
  /// If you pass an `element`, sends it before it completes.
  ///
  ///     source                             --1--2--#
  ///     demoteErrors(replaceErrorWith: 9)  --1--2--(9|)
  ///
  /// The error is lost. If your users should see it, use ``demoteErrors(to:)``, which sends it to the error streams of a view model.
  @inlinable
  public func demoteErrors(replaceErrorWith element: Element? = nil) -> Observable<Element> {
    `catch` { _ in element.map { .just($0) } ?? .empty() }
  }
}
