extension ObservableType {
  /// Maps each element to an inner stream, and sends the elements of the inner streams as they arrive, with at most `maxConcurrent` of them
  /// subscribed at a time.
  ///
  ///     source                            --1-2-3----------|
  ///     inner 1                             -a-----|
  ///     inner 2                               -x--y---b|
  ///     inner 3                                    -p---q|
  ///     flatMap(maxConcurrent: 2, inner)  ---a-x--y-p-b-q--|
  ///
  /// Further elements wait in order, without bound. The operator calls `transform` with a waiting element when an inner stream completes,
  /// on the thread of that completion. The stream completes when the source and all inner streams have completed. An error of a stream, or
  /// an error that `transform` throws, ends the stream and all subscriptions. A `maxConcurrent` of 0 or less is a programming mistake and
  /// is trapped.
  @inlinable
  public func flatMap<Result>(
    maxConcurrent: Int, _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    require(maxConcurrent > 0, "flatMap: maxConcurrent must be greater than 0")
    return asObservable().flatten(limit: maxConcurrent, transform)
  }

  /// Sends the elements of inner streams of another type, such as subjects, with at most `maxConcurrent` of them
  /// subscribed at a time.
  ///
  ///     source                               --1-----|
  ///     inner 1                                -a--b--|
  ///     flatMap(maxConcurrent: 2, subjects)  ---a--b--|
  ///
  /// Otherwise like the form whose closure returns an ``Observable``.
  @inlinable
  public func flatMap<Inner: ObservableType>(
    maxConcurrent: Int, _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Inner.Element> {
    flatMap(maxConcurrent: maxConcurrent) { try transform($0).asObservable() }
  }
}
