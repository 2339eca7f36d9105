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
}
