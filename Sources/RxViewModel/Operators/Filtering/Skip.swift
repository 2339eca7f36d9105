extension ObservableType {
  /// Drops the first `count` elements.
  ///
  ///     source   --1--2--3--4--|
  ///     skip(2)  --------3--4--|
  ///
  /// A `count` below 0 counts as 0.
  @inlinable
  public func skip(_ count: Int) -> Observable<Element> {
    .lifting(asObservable(), count) { left, event in
      if event.isTerminal || left <= 0 { return event }
      left -= 1
      return nil
    }
  }
}
