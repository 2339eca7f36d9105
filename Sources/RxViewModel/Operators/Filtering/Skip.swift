extension ObservableType {
  /// Drops the first `count` elements.
  ///
  ///     source   --1--2--3--4--|
  ///     skip(2)  --------3--4--|
  ///
  /// A `count` below 0 counts as 0.
  @inlinable
  public func skip(_ count: Int) -> Observable<Element> {
    .lifting(asObservable()) { sink in
      let left = SubscriptionState(count)
      return { forward(left.skip($0), to: sink) }
    }
  }
}

extension SubscriptionState<Int> {
  @inlinable
  func skip<Element>(_ event: Event<Element>) -> Event<Element>? {
    guard case .next = event, value > 0 else { return event }
    value -= 1
    return nil
  }
}
