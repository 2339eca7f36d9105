extension ObservableType {
  /// Drops elements while `predicate` is true, and sends the first for which it is false and all that follow.
  ///
  ///     source            --1--2--3--1--|
  ///     skip(while: < 3)  --------3--1--|
  ///
  /// `predicate` is not called again then. An error that it throws ends the stream and the subscription to the source.
  @inlinable
  public func skip(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
    .lifting(asObservable()) { sink in
      let isSkipping = SubscriptionState(true)
      return { event in
        let passed = isSkipping.value ? event.filter { try !predicate($0) } : event
        if passed != nil { isSkipping.value = false }
        return forward(passed, to: sink)
      }
    }
  }
}
