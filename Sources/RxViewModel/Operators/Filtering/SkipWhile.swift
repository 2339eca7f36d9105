extension ObservableType {
  /// Drops elements while `predicate` is true, and sends the first element for which it is false and all that follow.
  ///
  ///     source            --1--2--3--1--|
  ///     skip(while: < 3)  --------3--1--|
  ///
  /// Does not call `predicate` after it has returned false. An error that it throws ends the stream and the subscription to the source.
  @inlinable
  public func skip(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
    .lifting(asObservable(), true) { isSkipping, event in
      if !isSkipping { return event }
      let passed = event.filter { try !predicate($0) }
      isSkipping = passed == nil
      return passed
    }
  }
}
