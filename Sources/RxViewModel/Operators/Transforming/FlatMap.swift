extension ObservableType {
  /// Maps each element to an inner stream, and sends the elements of all inner streams as they arrive.
  ///
  ///     source          --1----2-----|
  ///     inner 1           -a--b---c|
  ///     inner 2                -x----y--z|
  ///     flatMap(inner)  ---a--b-x-c--y--z|
  ///
  /// The stream completes when the source and all inner streams have completed. If any of the streams fails or `transform` throws, the
  /// result fails too, and all subscriptions end. The inner streams may send from several threads; the operator sends their elements one at
  /// a time.
  @inlinable
  public func flatMap<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    asObservable().flatten(.unlimited, transform)
  }

  /// Maps each element to an inner stream, and sends the elements of the inner streams as they arrive, with at most `maxConcurrent` of them
  /// subscribed at a time.
  ///
  ///     source                            --1-2-3----------|
  ///     inner 1                             -a-----|
  ///     inner 2                               -x--y---b|
  ///     inner 3                                    -p---q|
  ///     flatMap(maxConcurrent: 2, inner)  ---a-x--y-p-b-q--|
  ///
  /// Further elements wait in order, without a limit. The operator calls `transform` with a waiting element when an inner stream completes,
  /// on the thread of that completion, or on the thread that is subscribing to another inner stream then. Otherwise it behaves like
  /// ``flatMap(_:)``. Traps if `maxConcurrent` is 0 or less.
  @inlinable
  public func flatMap<Result>(
    maxConcurrent: Int, _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    require(maxConcurrent, atLeast: 1, "flatMap: maxConcurrent")
    return asObservable().flatten(maxConcurrent == .max ? .unlimited : .limited(maxConcurrent), transform)
  }

  /// Maps each element to an inner stream, and sends the elements of the inner streams one stream after the other.
  ///
  ///     source            --1--2-----------|
  ///     inner 1             -a--b--|
  ///     inner 2                    -x--y|
  ///     concatMap(inner)  ---a--b---x--y---|
  ///
  /// An element waits until the inner streams before it have completed. Only then does the operator call `transform`, on the thread on
  /// which the last of them completes or, if that one is still being subscribed then, on the thread that does so, afterwards. Elements wait without a limit. Otherwise it behaves like ``flatMap(_:)``.
  @inlinable
  public func concatMap<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    asObservable().flatten(.limited(1), transform)
  }

  /// Maps an element to an inner stream, and drops the elements that arrive until the inner stream has completed.
  ///
  ///     source               --1--2-----3----|
  ///     inner 1                -a--b--|
  ///     inner 3                         -x--y--|
  ///     flatMapFirst(inner)  ---a--b-----x--y--|
  ///
  /// Does not call `transform` for a dropped element. Otherwise it behaves like ``flatMap(_:)``.
  @inlinable
  public func flatMapFirst<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    asObservable().flatten(.limited(1, waits: false), transform)
  }

  /// Maps each element to an inner stream, and sends only the elements of the latest inner stream.
  ///
  ///     source                --1-----2--------|
  ///     inner 1                 -a--b--c|
  ///     inner 2                       -x--y--z|
  ///     flatMapLatest(inner)  ---a--b--x--y--z-|
  ///
  /// A new element disposes the subscription to the previous inner stream, and drops its undelivered elements. The stream completes when
  /// the source and the last inner stream have completed. Otherwise it behaves like ``flatMap(_:)``.
  @inlinable
  public func flatMapLatest<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    asObservable().flatten(.latest, transform)
  }
}
