extension ObservableType {
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
