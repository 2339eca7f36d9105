extension ObservableType where Element: ObservableType {
  /// Sends the elements of all the streams that the source sends, as they arrive.
  ///
  ///     source   --1----2-----|
  ///     inner 1    -a--b---c|
  ///     inner 2         -x----y--z|
  ///     merge()  ---a--b-x-c--y--z|
  ///
  /// Otherwise like `flatMap(_:)`.
  @inlinable
  public func merge() -> Observable<Element.Element> {
    flatMap { $0.asObservable() }
  }

  /// Sends the elements of the streams that the source sends, with at most `maxConcurrent` of them subscribed at a
  /// time.
  ///
  ///     source                   --1-2-3----------|
  ///     inner 1                    -a-----|
  ///     inner 2                      -x--y---b|
  ///     inner 3                           -p---q|
  ///     merge(maxConcurrent: 2)  ---a-x--y-p-b-q--|
  ///
  /// Otherwise like `flatMap(maxConcurrent:_:)`.
  @inlinable
  public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
    require(maxConcurrent > 0, "merge: maxConcurrent must be greater than 0")
    return flatMap(maxConcurrent: maxConcurrent) { $0.asObservable() }
  }

  /// Sends the elements of the streams that the source sends, one stream after the other.
  ///
  ///     source    --1--2-----------|
  ///     inner 1     -a--b--|
  ///     inner 2            -x--y|
  ///     concat()  ---a--b---x--y---|
  ///
  /// Otherwise like `concatMap(_:)`.
  @inlinable
  public func concat() -> Observable<Element.Element> {
    concatMap { $0.asObservable() }
  }

  /// Sends the elements of the latest of the streams that the source sends.
  ///
  ///     source          --1-----2--------|
  ///     inner 1           -a--b--c|
  ///     inner 2                 -x--y--z|
  ///     switchLatest()  ---a--b--x--y--z-|
  ///
  /// Otherwise like `flatMapLatest(_:)`.
  @inlinable
  public func switchLatest() -> Observable<Element.Element> {
    flatMapLatest { $0.asObservable() }
  }
}
