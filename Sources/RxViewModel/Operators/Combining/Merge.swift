extension Observable {
  /// Sends the elements of all `sources` as they arrive.
  ///
  ///     a              --1-----3-----|
  ///     b              ----2------4------|
  ///     merge([a, b])  --1-2---3--4------|
  ///
  /// Subscribes to the sources in their order. The stream completes when all sources have completed. An error of a source ends the stream
  /// and the other subscriptions. The sources may send from several threads; the operator sends their elements one at a time.
  @inlinable
  public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
    if sources.isEmpty { return .empty() }
    // Neither template: the events are the inputs as they are, without a case for each source.
    return Observable { sink, scope in
      let running = SubscriptionState(sources.count)
      let serial = Serial<Event<Element>>(in: scope) { running.isOneOfSeveralEnds($0) ? .more : forward($0, to: sink) }
      for source in sources { scope.connect(source: source) { serial.send($0) } }
    }
  }

  /// Sends the elements of all `sources`, which may be of different types, as they arrive.
  ///
  ///     subject              --1-----3-----|
  ///     b                    ----2------4------|
  ///     merge([subject, b])  --1-2---3--4------|
  ///
  /// Otherwise like the form with an array of observables.
  @inlinable
  @_disfavoredOverload
  public static func merge(_ sources: [any ObservableType<Element>]) -> Observable<Element> {
    merge(sources.map { $0.asObservable() })
  }

  /// Sends the elements of all `sources` as they arrive.
  ///
  ///     a            --1-----3-----|
  ///     b            ----2------4------|
  ///     merge(a, b)  --1-2---3--4------|
  ///
  /// Otherwise like the form with an array.
  @inlinable
  public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
    merge(sources)
  }

  /// Sends the elements of all `sources`, which may be of different types, as they arrive.
  ///
  ///     subject            --1-----3-----|
  ///     b                  ----2------4------|
  ///     merge(subject, b)  --1-2---3--4------|
  ///
  /// Otherwise like the form with an array of observables.
  @inlinable
  @_disfavoredOverload
  public static func merge(_ sources: any ObservableType<Element>...) -> Observable<Element> {
    merge(sources.map { $0.asObservable() })
  }

  /// Sends the elements of a source of any type, such as a subject, and of `others` as they arrive.
  ///
  ///     subject                   --1--2--|
  ///     merge(subject, .just(9))  9-1--2--|
  ///
  /// Because `others` are observables, an argument such as `.just(9)` needs no type before the dot. Otherwise like the form with an array
  /// of observables.
  @inlinable
  @_disfavoredOverload
  public static func merge(
    _ first: some ObservableType<Element>, _ others: Observable<Element>...
  ) -> Observable<Element> {
    merge([first.asObservable()] + others)
  }
}

extension SubscriptionState<Int> {
  /// Whether the event is the completion of a stream that is not the last one running. The value is the number of running streams.
  @inlinable
  func isOneOfSeveralEnds<Element>(_ event: borrowing Event<Element>) -> Bool {
    if !event.isCompleted { return false }
    value -= 1
    return value > 0
  }
}

extension ObservableType {
  /// Sends the elements of this stream and of `other` as they arrive.
  ///
  ///     source              --1-----3-----|
  ///     other               ----2------4------|
  ///     merge(with: other)  --1-2---3--4------|
  ///
  /// The stream completes when both have completed. An error of either ends the stream and the other subscription. To merge hundreds
  /// of streams, use the form with an array: each `merge` of a chain takes stack (contract 1.6).
  @inlinable
  public func merge(with other: some ObservableType<Element>) -> Observable<Element> {
    .merge([asObservable(), other.asObservable()])
  }

  /// Sends the elements of this stream and of `other` as they arrive.
  ///
  ///     source                 --1--2--|
  ///     merge(with: .just(9))  9-1--2--|
  ///
  /// Because `other` is an ``Observable``, an argument such as `.just(9)` needs no type before the dot.
  @inlinable
  public func merge(with other: Observable<Element>) -> Observable<Element> {
    .merge([asObservable(), other])
  }
}
