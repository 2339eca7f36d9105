extension ObservableType {
  /// Maps each element to an inner stream, and sends the elements of the inner streams one stream after the other.
  ///
  ///     source            --1--2-----------|
  ///     inner 1             -a--b--|
  ///     inner 2                    -x--y|
  ///     concatMap(inner)  ---a--b---x--y---|
  ///
  /// An element waits until the inner streams before it have completed. Only then does the operator call `transform`, on the thread on
  /// which the last of them completes. Elements wait without bound. The stream completes when the source and all inner streams have
  /// completed. An error of a stream, or an error that `transform` throws, ends the stream and all subscriptions.
  @inlinable
  public func concatMap<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    asObservable().flatten(limit: 1) { try transform($0) }
  }

  /// Sends the elements of inner streams of another type, such as subjects, one stream after the other.
  ///
  ///     source               --1-----|
  ///     inner 1                -a--b--|
  ///     concatMap(subjects)  ---a--b--|
  ///
  /// Otherwise like the form whose closure returns an ``Observable``.
  @inlinable
  public func concatMap<Inner: ObservableType>(
    _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Inner.Element> {
    concatMap { try transform($0).asObservable() }
  }
}
