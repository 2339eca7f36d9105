extension ObservableType {
  /// Sends the first `count` elements, then completes.
  ///
  ///     source   --1--2--3--4--|
  ///     take(2)  --1--(2|)
  ///
  /// The subscription to the source ends with the last of these elements. With a `count` of 0 the stream completes immediately, without
  /// subscribing to the source. Traps if `count` is negative.
  @inlinable
  public func take(_ count: Int) -> Observable<Element> {
    require(count, atLeast: 0, "take: count")
    if count == 0 { return .empty() }
    return .lifting(asObservable(), count) { left, element, sink in
      left -= 1
      return left > 0 ? sink.next(element) : sink.finish(with: element)
    }
  }

  /// Sends elements while `predicate` is true, and completes at the first element for which it is false.
  ///
  ///     source                             --1--2--3--1--|
  ///     take(while: < 3)                   --1--2--|
  ///     take(while: < 3, inclusive: true)  --1--2--(3|)
  ///
  /// With `inclusive: true` it sends that element too. The subscription to the source ends there. An error that
  /// `predicate` throws ends the stream and the subscription.
  @inlinable
  public func take(
    while predicate: @escaping @Sendable (Element) throws -> Bool, inclusive: Bool = false
  ) -> Observable<Element> {
    .lifting(asObservable()) { element, sink in
      if try predicate(element) { return sink.next(element) }
      if inclusive { return sink.finish(with: element) }
      sink.end(nil)
      return .noMore
    }
  }

  /// Sends elements until `other` sends an element, then completes.
  ///
  ///     source              --1--2--3--4--|
  ///     other               ---------x-----
  ///     take(until: other)  --1--2--3|
  ///
  /// Subscribes to `other` first. If `other` completes without an element, the stream continues. An error of `other` ends the stream. Both
  /// subscriptions end with the stream.
  @inlinable
  public func take(until other: some ObservableType) -> Observable<Element> {
    .joining(other.asObservable(), asObservable(), ()) { _, input, sink in
      switch input {
      case .a(.next): sink.on(.completed)
      case .a(.error(let error)): throw error
      case .a(.completed): .more
      case .b(let event): sink.on(event)
      }
    }
  }
}
