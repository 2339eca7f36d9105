extension ObservableType {
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
  /// The error is lost. To send it to the error streams of a view model, use ``demoteErrors(to:)``.
  @inlinable
  public func demoteErrors(replaceErrorWith element: Element? = nil) -> Observable<Element> {
    `catch` { _ in element.map { .just($0) } ?? .empty() }
  }
}
