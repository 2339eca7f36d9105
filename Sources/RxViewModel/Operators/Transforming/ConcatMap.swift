extension ObservableType {
  /// Subscribes to what `transform` makes of each element, one after the other, and sends the elements of these.
  ///
  ///     source            --1--2-----------|
  ///     inner 1             -a--b--|
  ///     inner 2                    -x--y|
  ///     concatMap(inner)  ---a--b---x--y---|
  ///
  /// An element waits until the inner streams before it have completed; `transform` is called when its turn comes, where the
  /// inner stream before it completed. Elements wait without bound. The stream completes when the source and all inner streams
  /// have; an error of one of them, or one that `transform` throws, ends it and all subscriptions.
  @inlinable
  public func concatMap<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink in
      OneAtATime.connect(source, to: sink, keepsWaiting: true) { try transform($0) }
    }
  }

  /// Subscribes to what `transform` makes of each element, of a type such as a subject, one after the other.
  ///
  ///     source               --1-----|
  ///     inner 1                -a--b--|
  ///     concatMap(subjects)  ---a--b--|
  ///
  /// Behaves as the form with closures that return an ``Observable``.
  @inlinable
  public func concatMap<Inner: ObservableType>(
    _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Inner.Element> {
    concatMap { try transform($0).asObservable() }
  }
}
