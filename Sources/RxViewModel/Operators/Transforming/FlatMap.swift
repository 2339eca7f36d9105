extension ObservableType {
  /// Maps each element to an inner stream, and sends the elements of all inner streams as they arrive.
  ///
  ///     source          --1----2-----|
  ///     inner 1           -a--b---c|
  ///     inner 2                -x----y--z|
  ///     flatMap(inner)  ---a--b-x-c--y--z|
  ///
  /// The stream completes when the source and all inner streams have completed. An error of a stream, or an error that `transform` throws,
  /// ends the stream and all subscriptions. The inner streams may send from several threads; the operator sends their elements one at a
  /// time.
  @inlinable
  public func flatMap<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    let source = asObservable()
    // Neither template: inner streams begin and end.
    return Observable { sink, scope in
      let running = SubscriptionState(1)
      // An input is an event or, if an inner stream is about to be subscribed, nil.
      let serial = Serial<Event<Result>?>(in: scope) { event in
        guard let event else {
          running.value += 1
          return .more
        }
        return running.isOneOfSeveralEnds(event) ? .more : forward(event, to: sink)
      }
      scope.connect(source: source) { event in
        switch event.map({ try transform($0) }) {
        case .next(let inner):
          if case .just(let element) = inner.representation { return serial.send(.next(element)) }
          if serial.send(nil) == .noMore { return .noMore }
          scope.connect(inner: inner) { serial.send($0) }
          return serial.isOpen ? .more : .noMore
        case .error(let error):
          _ = serial.send(.error(error))
          return .noMore
        case .completed:
          return serial.send(.completed)
        }
      }
    }
  }

  /// Sends the elements of inner streams of another type, such as subjects, as they arrive.
  ///
  ///     source             --1-----|
  ///     inner 1              -a--b--|
  ///     flatMap(subjects)  ---a--b--|
  ///
  /// Otherwise like the form whose closure returns an ``Observable``.
  @inlinable
  public func flatMap<Inner: ObservableType>(
    _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Inner.Element> {
    flatMap { try transform($0).asObservable() }
  }
}
