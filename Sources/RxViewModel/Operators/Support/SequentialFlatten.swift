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
  static func connect(
    _ source: Observable<Outer>, to sink: @escaping Observable<Element>.Sink, keepsWaiting: Bool,
    _ transform: @escaping Turns.Transform
  ) -> any Disposable {
    let turns = Lock(Turns(keepsWaiting: keepsWaiting, transform: transform))
    let serializer = EventSerializer<Event<Element>> { forward($0, to: sink) }
    let subscriptions = CompositeDisposable(closing: serializer)
    let operation = SequentialFlatten(turns: turns, serializer: serializer, subscriptions: subscriptions)
    let key = subscriptions.reserve()
    subscriptions.set(key, to: source.connect { operation.outer($0, key) })
    return subscriptions
  }

  @inlinable
  func outer(_ event: Event<Outer>, _ key: CompositeDisposable.Key) -> Bool {
    switch event {
    case .next(let element):
      return proceed(turns.withLock { $0.arrive(element) }) && subscriptions.isOpen
    case .error(let error):
      _ = send(.error(error))
    case .completed:
      subscriptions.remove(key)
      var dropped: Turns.Transform?
      _ = proceed(turns.withLock { $0.sourceCompleted(&dropped) })
    }
    return false
  }

  /// Starts inner streams until one is left running or nothing waits. False if no more is wanted.
  @inlinable
  func proceed(_ first: Turns.Step) -> Bool {
    var step = first
    while true {
      switch step {
      case .wait: return true
      case .complete: return send(.completed)
      case .start(let element, let transform):
        guard start(element, transform) else { return false }
        var dropped: Turns.Transform?
        step = turns.withLock { $0.innerConnected(&dropped) }
      }
    }
  }

  @inlinable
  func start(_ element: Outer, _ transform: Turns.Transform) -> Bool {
    let inner: Observable<Element>
    do {
      inner = try transform(element)
    } catch {
      _ = send(.error(error))
      return false
    }
    if case .just(let element) = inner.representation {
      guard send(.next(element)) else { return false }
      _ = turns.withLock { $0.trampoline.ended() }
      return true
    }
    guard let key = subscriptions.reserve() else { return false }
    let subscription = inner.connect { event in
      guard case .completed = event else { return send(event) }
      // The inner stream lets go of what it holds before the next begins.
      subscriptions.dispose(key)
      var dropped: Turns.Transform?
      _ = proceed(turns.withLock { $0.innerCompleted(&dropped) })
      return false
    }
    subscriptions.set(key, to: subscription)
    return subscriptions.isOpen
  }

  @inlinable
  func send(_ event: Event<Element>) -> Bool {
    if serializer.send(event) { return true }
    subscriptions.dispose()
    return false
  }
}
