/// One subscription to an operator that has one inner stream at a time.
@usableFromInline
struct OneAtATime<Outer: Sendable, Element: Sendable>: Sendable {
  @usableFromInline let turns: Lock<Turns<Outer>>
  @usableFromInline let transform: @Sendable (Outer) throws -> Observable<Element>
  @usableFromInline let drain: Drain<Event<Element>>
  @usableFromInline let subscriptions: Subscriptions

  @inlinable
  static func connect(
    _ source: Observable<Outer>, to sink: @escaping Observable<Element>.Sink, keepsWaiting: Bool,
    _ transform: @escaping @Sendable (Outer) throws -> Observable<Element>
  ) -> any Disposable {
    let drain = Drain<Event<Element>> { pass($0, to: sink) }
    let subscriptions = Subscriptions(closing: drain)
    let operation = OneAtATime(
      turns: Lock(Turns(keepsWaiting: keepsWaiting)), transform: transform, drain: drain, subscriptions: subscriptions)
    let key = subscriptions.reserve()
    subscriptions.set(key, to: source.connect { operation.outer($0, key) })
    return subscriptions
  }

  @inlinable
  init(
    turns: Lock<Turns<Outer>>, transform: @escaping @Sendable (Outer) throws -> Observable<Element>,
    drain: Drain<Event<Element>>, subscriptions: Subscriptions
  ) {
    self.turns = turns
    self.transform = transform
    self.drain = drain
    self.subscriptions = subscriptions
  }

  @inlinable
  func outer(_ event: Event<Outer>, _ key: Subscriptions.Key) -> Bool {
    switch event {
    case .next(let element):
      guard turns.withLock({ $0.arrive(element) }) else { return subscriptions.isOpen }
      return proceed(.start(element))
    case .error(let error):
      _ = send(.error(error))
    case .completed:
      subscriptions.remove(key)
      if turns.withLock({ $0.sourceCompleted() }) { _ = send(.completed) }
    }
    return false
  }

  /// Starts inner streams until one is left running or nothing waits. False if no more is wanted.
  @inlinable
  func proceed(_ first: Turns<Outer>.Step) -> Bool {
    var step = first
    while true {
      switch step {
      case .wait: return true
      case .complete: return send(.completed)
      case .start(let element):
        guard start(element) else { return false }
        step = turns.withLock { $0.innerConnected() }
      }
    }
  }

  @inlinable
  func start(_ element: Outer) -> Bool {
    let inner: Observable<Element>
    do {
      inner = try transform(element)
    } catch {
      _ = send(.error(error))
      return false
    }
    if case .just(let element) = inner.representation {
      _ = turns.withLock { $0.relay.ended() }
      return send(.next(element))
    }
    guard let key = subscriptions.reserve() else { return false }
    let subscription = inner.connect { event in
      guard case .completed = event else { return send(event) }
      subscriptions.remove(key)
      _ = proceed(turns.withLock { $0.innerCompleted() })
      return false
    }
    subscriptions.set(key, to: subscription)
    return subscriptions.isOpen
  }

  @inlinable
  func send(_ event: Event<Element>) -> Bool {
    if drain.send(event) { return true }
    subscriptions.dispose()
    return false
  }
}
