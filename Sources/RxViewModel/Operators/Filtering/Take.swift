extension ObservableType {
  /// Sends the first `count` elements, then completes.
  ///
  ///     source   --1--2--3--4--|
  ///     take(2)  --1--(2|)
  ///
  /// The subscription to the source ends with the last of these elements. With a `count` of 0 or less the stream
  /// completes at once, without subscribing to the source.
  @inlinable
  public func take(_ count: Int) -> Observable<Element> {
    guard count > 0 else { return .empty() }
    return .lifting(asObservable()) { sink in
      let left = SubscriptionState(count)
      return { event in
        if event.isTerminal { return forward(event, to: sink) }
        left.value -= 1
        return left.value > 0 ? sink(event) : finish(with: event, sink)
      }
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
    .lifting(asObservable()) { sink in
      guard inclusive else { return { forward($0.filter(predicate) ?? .completed, to: sink) } }
      return { event in
        guard let passed = event.filter(predicate) else { return finish(with: event, sink) }
        return forward(passed, to: sink)
      }
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
    .joining(other.asObservable(), asObservable(), ()) { _, input in
      switch input {
      case .a(.next): .completed
      case .a(.error(let error)): .error(error)
      case .a(.completed): nil
      case .b(let event): event
      }
    }
  }

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
