extension ObservableType {
  /// Sends the result of `transform` for each element.
  ///
  ///     source     --1---2---3--|
  ///     map(× 10)  --10--20--30-|
  ///
  /// An error that `transform` throws ends the stream and the subscription to the source.
  @inlinable
  public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Result
  ) -> Observable<Result> {
    .lifting(asObservable()) { sink in
      { forward($0.map(transform), to: sink) }
    }
  }
}

extension Event {
  /// Returns the event with its element transformed, or the error that `transform` throws.
  @inline(__always)
  @inlinable
  func map<Result: Sendable>(_ transform: (Element) throws -> Result) -> Event<Result> {
    compactMap { .some(try transform($0)) }!
  }
}
