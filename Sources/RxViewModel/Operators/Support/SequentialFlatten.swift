/// One subscription to an operator that has one inner stream at a time.
@usableFromInline
struct SequentialFlatten<Outer: Sendable, Element: Sendable>: Sendable {
  @usableFromInline typealias Turns = SequentialFlattenState<Outer, Element>

  @usableFromInline let turns: Lock<Turns>
  @usableFromInline let serializer: EventSerializer<Event<Element>>
  @usableFromInline let subscriptions: CompositeDisposable

  @inlinable
  init(turns: Lock<Turns>, serializer: EventSerializer<Event<Element>>, subscriptions: CompositeDisposable) {
    self.turns = turns
    self.serializer = serializer
    self.subscriptions = subscriptions
  }

  @inlinable
  static func connecting(
    _ source: Observable<Outer>, to sink: @escaping Observable<Element>.Sink, keepsWaiting: Bool,
    _ transform: @escaping Turns.Transform
  ) -> Connecting {
    let turns = Lock(Turns(keepsWaiting: keepsWaiting, transform: transform))
    let serializer = EventSerializer<Event<Element>> { forward($0, to: sink) }
    let subscriptions = CompositeDisposable(closing: serializer)
    let operation = SequentialFlatten(turns: turns, serializer: serializer, subscriptions: subscriptions)
    let key = subscriptions.reserve()
    return subscriptions.connecting(source, key) { operation.outer($0, key) }
  }

  @inlinable
  func outer(_ event: Event<Outer>, _ key: CompositeDisposable.Key) -> Demand {
    switch event {
    case .next(let element):
      let demand = proceed(turns.withLock { $0.arrive(element) })
      return subscriptions.isOpen ? demand : .noMore
    case .error(let error):
      _ = send(.error(error))
    case .completed:
      subscriptions.remove(key)
      var dropped: Turns.Transform?
      _ = proceed(turns.withLock { $0.sourceCompleted(&dropped) })
    }
    return .noMore
  }

  /// Starts inner streams until one is left running or nothing waits.
  @inlinable
  func proceed(_ first: Turns.Step) -> Demand {
    var step = first
    while true {
      switch step {
      case .wait: return .more
      case .complete: return send(.completed)
      case .start(let element, let transform):
        if start(element, transform) == .noMore { return .noMore }
        var dropped: Turns.Transform?
        step = turns.withLock { $0.innerConnected(&dropped) }
      }
    }
  }

  @inlinable
  func start(_ element: Outer, _ transform: Turns.Transform) -> Demand {
    let inner: Observable<Element>
    do {
      inner = try transform(element)
    } catch {
      _ = send(.error(error))
      return .noMore
    }
    if case .just(let element) = inner.representation {
      if send(.next(element)) == .noMore { return .noMore }
      _ = turns.withLock { $0.trampoline.ended() }
      return .more
    }
    guard let key = subscriptions.reserve() else { return .noMore }
    let subscription = inner.connect { event in
      guard case .completed = event else { return send(event) }
      // The inner stream releases what it holds before the next one begins.
      subscriptions.dispose(key)
      var dropped: Turns.Transform?
      _ = proceed(turns.withLock { $0.innerCompleted(&dropped) })
      return .noMore
    }
    subscriptions.set(key, to: subscription)
    return subscriptions.isOpen ? .more : .noMore
  }

  @inlinable
  func send(_ event: Event<Element>) -> Demand {
    subscriptions.dispose(unlessWanted: serializer.send(event))
  }
}
