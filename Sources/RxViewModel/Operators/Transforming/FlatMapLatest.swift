extension ObservableType {
  /// Maps each element to an inner stream, and sends only the elements of the latest inner stream.
  ///
  ///     source                --1-----2--------|
  ///     inner 1                 -a--b--c|
  ///     inner 2                       -x--y--z|
  ///     flatMapLatest(inner)  ---a--b--x--y--z-|
  ///
  /// A new element disposes the subscription to the previous inner stream, and drops its undelivered elements. The
  /// stream completes when the source and the last inner stream have completed. An error of a stream, or an error that
  /// `transform` throws, ends the stream and all subscriptions.
  @inlinable
  public func flatMapLatest<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    .composing(asObservable()) { source, sink in
      let latest = Lock(SwitchState())
      let serializer = EventSerializer<SwitchInput<Result>> { input in
        switch latest.withLock({ $0.receive(input) }) {
        case .pass: forward(input.event, to: sink)
        case .complete: forward(.completed, to: sink)
        case .ignore: .more
        }
      }
      let subscriptions = CompositeDisposable(closing: serializer)
      let switching = FlatMapLatest(latest: latest, serializer: serializer, subscriptions: subscriptions)
      let key = subscriptions.reserve()
      return subscriptions.connecting(source, key) { event in
        switching.outer(event.map { try transform($0) }, key)
      }
    }
  }

  /// Sends the elements of the latest inner stream of another type, such as a subject.
  ///
  ///     source                   --1-----|
  ///     inner 1                    -a--b--|
  ///     flatMapLatest(subjects)  ---a--b--|
  ///
  /// Otherwise like the form whose closure returns an ``Observable``.
  @inlinable
  public func flatMapLatest<Inner: ObservableType>(
    _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Inner.Element> {
    flatMapLatest { try transform($0).asObservable() }
  }
}

/// One subscription to `flatMapLatest`.
@usableFromInline
struct FlatMapLatest<Element: Sendable>: Sendable {
  @usableFromInline let latest: Lock<SwitchState>
  @usableFromInline let serializer: EventSerializer<SwitchInput<Element>>
  @usableFromInline let subscriptions: CompositeDisposable

  @inlinable
  init(latest: Lock<SwitchState>, serializer: EventSerializer<SwitchInput<Element>>, subscriptions: CompositeDisposable)
  {
    self.latest = latest
    self.serializer = serializer
    self.subscriptions = subscriptions
  }

  @inlinable
  func outer(_ event: Event<Observable<Element>>, _ key: CompositeDisposable.Key) -> Demand {
    switch event {
    case .next(let inner):
      return switched(to: inner)
    case .error(let error):
      _ = send(nil, .error(error))
      return .noMore
    case .completed:
      subscriptions.remove(key)
      let isOver = latest.withLock { latest -> Bool in
        latest.isSourceAlive = false
        return !latest.isInnerAlive
      }
      if isOver { _ = send(nil, .completed) }
      return .noMore
    }
  }

  @inlinable
  func switched(to inner: Observable<Element>) -> Demand {
    if case .just(let element) = inner.representation {
      let (number, previous) = begin(nil, isAlive: false)
      subscriptions.dispose(previous)
      return send(number, .next(element))
    }
    guard let key = subscriptions.reserve() else { return .noMore }
    let (number, previous) = begin(key, isAlive: true)
    subscriptions.dispose(previous)
    let subscription = inner.connect { event in
      if case .completed = event { subscriptions.remove(key) }
      let demand = send(number, event)
      return latest.withLock { $0.number == number } ? demand : .noMore
    }
    subscriptions.set(key, to: subscription)
    return subscriptions.isOpen ? .more : .noMore
  }

  /// Returns the number of the new inner stream, and the key of the previous one.
  @inlinable
  func begin(_ key: CompositeDisposable.Key, isAlive: Bool) -> (UInt64, CompositeDisposable.Key) {
    latest.withLock { latest in
      let previous = latest.key
      latest.number += 1
      latest.key = key
      latest.isInnerAlive = isAlive
      return (latest.number, previous)
    }
  }

  @inlinable
  func send(_ number: UInt64?, _ event: Event<Element>) -> Demand {
    subscriptions.dispose(unlessWanted: serializer.send(SwitchInput(number: number, event: event)))
  }
}
