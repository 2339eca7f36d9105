extension Observable {
  /// Sends the elements of all `sources` as they arrive.
  ///
  ///     a              --1-----3-----|
  ///     b              ----2------4------|
  ///     merge([a, b])  --1-2---3--4------|
  ///
  /// Subscribes to the sources in their order. The stream completes when all sources have completed. If a source fails, the stream fails
  /// too, and the other subscriptions end. The sources may send from several threads; the operator sends their elements one at a time.
  @inlinable
  public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
    if sources.isEmpty { return .empty() }
    // No template: it passes the events on as they are.
    return Observable { sink, scope in
      let running = SubscriptionState(sources.count)
      let serial = Serial<Event<Element>>(in: scope) { event in
        guard case .completed = event else { return sink.on(consume event) }
        running.value -= 1
        return running.value == 0 ? sink.on(.completed) : .more
      }
      for source in sources { scope.connect(source, to: serial) { $0 } }
    }
  }

  /// Sends the elements of all `sources` as they arrive.
  ///
  ///     a            --1-----3-----|
  ///     b            ----2------4------|
  ///     merge(a, b)  --1-2---3--4------|
  ///
  /// Otherwise it behaves like the form with an array.
  @inlinable
  public static func merge(_ sources: Observable<Element>...) -> Observable<Element> { merge(sources) }
}

extension ObservableType {
  /// Sends the elements of this stream and of `other` as they arrive.
  ///
  ///     source              --1-----3-----|
  ///     other               ----2------4------|
  ///     merge(with: other)  --1-2---3--4------|
  ///
  /// The stream completes when both have completed. If either fails, the stream fails too, and the other subscription ends. To merge
  /// hundreds of streams, use the form with an array: each `merge` of a chain takes stack (contract 1.6).
  @inlinable
  public func merge(with other: some ObservableType<Element>) -> Observable<Element> {
    .merge([asObservable(), other.asObservable()])
  }
}
