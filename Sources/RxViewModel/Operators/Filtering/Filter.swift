extension ObservableType {
  /// Sends the elements that satisfy `isIncluded`.
  ///
  ///     source        --1--2--3--4--|
  ///     filter(even)  -----2-----4--|
  ///
  /// An error that `isIncluded` throws ends the stream and the subscription to the source.
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
    .lifting(asObservable()) { sink in
      { forward($0.filter(isIncluded), to: sink) }
    }
  }
}

extension Event {
  /// Returns the event, or nil if `isIncluded` rejects its element, or the error that `isIncluded` throws.
  @inline(__always)
  @inlinable
  func filter(_ isIncluded: (Element) throws -> Bool) -> Event? {
    compactMap { try isIncluded($0) ? .some($0) : nil }
  }
}
