extension ObservableType {
  /// Sends the result of `transform` for each element.
  ///
  ///     source     --1---2---3--|
  ///     map(× 10)  --10--20--30-|
  ///
  /// If `transform` throws, the stream fails with that error, and the source is disposed.
  @inlinable
  public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Result
  ) -> Observable<Result> {
    .lifting(asObservable()) { try $1.next(transform($0)) }
  }

  /// Sends the result of `transform` for each element, unless that result is nil.
  ///
  ///     source           --1--x--2--|
  ///     compactMap(Int)  --1-----2--|
  ///
  /// If `transform` throws, the stream fails with that error, and the source is disposed.
  @inlinable
  public func compactMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Result?
  ) -> Observable<Result> {
    .lifting(asObservable()) { try transform($0).map($1.next) ?? .more }
  }

  /// Sends the elements that satisfy `isIncluded`.
  ///
  ///     source        --1--2--3--4--|
  ///     filter(even)  -----2-----4--|
  ///
  /// If `isIncluded` throws, the stream fails with that error, and the source is disposed.
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
    .lifting(asObservable()) { try isIncluded($0) ? $1.next($0) : .more }
  }
}
