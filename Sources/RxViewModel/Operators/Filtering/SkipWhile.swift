extension ObservableType {
  /// Drops elements while `predicate` is true, and sends the first element for which it is false and all that follow.
  ///
  ///     source            --1--2--3--1--|
  ///     skip(while: < 3)  --------3--1--|
  ///
  /// Does not call `predicate` after it has returned false. An error that it throws ends the stream and the subscription to the source.
  @inlinable
  public func skip(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
    .lifting(asObservable()) { sink in
      let isSkipping = SubscriptionState(true)
      return { forward(isSkipping.skip($0, while: predicate), to: sink) }
    }
  }
}

extension SubscriptionState<Bool> {
  /// Returns the event to pass on. The state's value is true while elements are dropped.
  @inlinable
  func skip<Element>(_ event: Event<Element>, while predicate: (Element) throws -> Bool) -> Event<Element>? {
    guard value else { return event }
    let passed = event.filter { try !predicate($0) }
    value = passed == nil
    return passed
  }
}
