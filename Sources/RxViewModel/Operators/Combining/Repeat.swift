extension ObservableType {
  /// Subscribes to the source again when it completes, `count` times in all.
  ///
  ///     source     --1--|
  ///     source          --1--|
  ///     repeat(2)  --1----1--|
  ///
  /// Subscribes again on the thread of the completion, without recursion. Without a `count` it repeats endlessly; if the source then
  /// completes at once each time, `subscribe` does not return until another thread ends the stream, with `take(until:)` or, behind
  /// `subscribe(on:)`, with a dispose. An error of the source ends the stream. With a `count` of 0 the stream completes at once, without
  /// subscribing to the source. A negative `count` is a programming mistake and is trapped.
  @inlinable
  public func `repeat`(_ count: Int = .max) -> Observable<Element> {
    require(count >= 0, "repeat: count must not be negative")
    if count == 0 { return .empty() }
    let source = asObservable()
    // Neither template: the source is subscribed again and again.
    return Observable { sink, scope in
      let left = SubscriptionState(count)
      Attempts<Element>(in: scope, sink) { end, _, _ in
        if left.value != .max { left.value -= 1 }
        guard case .completed = end, left.value > 0 else { return .pass }
        return .subscribe(source)
      }.run(source)
    }
  }
}
