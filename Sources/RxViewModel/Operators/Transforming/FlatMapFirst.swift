extension ObservableType {
  /// Maps an element to an inner stream, and drops the elements that arrive until the inner stream has completed.
  ///
  ///     source               --1--2-----3----|
  ///     inner 1                -a--b--|
  ///     inner 3                         -x--y--|
  ///     flatMapFirst(inner)  ---a--b-----x--y--|
  ///
  /// Does not call `transform` for a dropped element. The stream completes when the source and the last inner stream
  /// have completed. An error of a stream, or an error that `transform` throws, ends the stream and all subscriptions.
  @inlinable
  public func flatMapFirst<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    asObservable().flatten(limit: 1, keepsWaiting: false) { try transform($0) }
  }

  /// Sends the elements of an inner stream of another type, such as a subject, and drops the elements that arrive until it has completed.
  ///
  ///     source                  --1-----|
  ///     inner 1                   -a--b--|
  ///     flatMapFirst(subjects)  ---a--b--|
  ///
  /// Otherwise like the form whose closure returns an ``Observable``.
  @inlinable
  public func flatMapFirst<Inner: ObservableType>(
    _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Inner.Element> {
    flatMapFirst { try transform($0).asObservable() }
  }
}
