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
    .composing(asObservable()) { source, sink in
      let serializer = EventSerializer<Event<Result>> { forward($0, to: sink) }
      let subscriptions = CompositeDisposable(closing: serializer)
      let merge = FlatMap(serializer: serializer, subscriptions: subscriptions)
      let key = subscriptions.reserve()
      return subscriptions.connecting(source, key) { event in
        merge.outer(event.map { try transform($0) }, key)
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

/// One subscription to `flatMap`.
@usableFromInline
struct FlatMap<Element: Sendable>: Sendable {
  @usableFromInline let serializer: EventSerializer<Event<Element>>
  @usableFromInline let subscriptions: CompositeDisposable

  @inlinable
  init(serializer: EventSerializer<Event<Element>>, subscriptions: CompositeDisposable) {
    self.serializer = serializer
    self.subscriptions = subscriptions
  }

  @inline(__always)
  @inlinable
  func outer(_ event: Event<Observable<Element>>, _ key: CompositeDisposable.Key) -> Demand {
    switch event {
    case .next(let inner):
      if case .just(let element) = inner.representation { return send(.next(element)) }
      return subscribe(to: inner)
    case .error(let error):
      // Stops the source even if the error still waits in the queue, because the source does not see an error that `transform` throws.
      _ = send(.error(error))
      return .noMore
    case .completed:
      return completed(key)
    }
  }

  @inlinable
  func subscribe(to inner: Observable<Element>) -> Demand {
    guard let key = subscriptions.reserve() else { return .noMore }
    let subscription = inner.connectChecked { event in
      if case .completed = event { completed(key) } else { send(event) }
    }
    subscriptions.set(key, to: subscription)
    return subscriptions.isOpen ? .more : .noMore
  }

  @inlinable
  func send(_ event: Event<Element>) -> Demand {
    subscriptions.dispose(unlessWanted: serializer.send(event))
  }

  @inlinable
  func completed(_ key: CompositeDisposable.Key) -> Demand {
    if subscriptions.remove(key) { _ = send(.completed) }
    return .noMore
  }
}
