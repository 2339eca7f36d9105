extension ObservableType {
  /// Drops the first `count` elements.
  ///
  ///     source   --1--2--3--4--|
  ///     skip(2)  --------3--4--|
  ///
  /// Traps if `count` is negative.
  @inlinable
  public func skip(_ count: Int) -> Observable<Element> {
    require(count, atLeast: 0, "skip: count")
    return .lifting(asObservable(), count) { left, element, sink in
      if left == 0 { return sink.next(element) }
      left -= 1
      return .more
    }
  }
}
