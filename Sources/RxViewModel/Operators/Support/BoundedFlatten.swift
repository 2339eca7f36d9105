/// One subscription to an operator that limits how many of its inner streams are subscribed at a time.
@usableFromInline
struct BoundedFlatten<Outer: Sendable, Element: Sendable>: Sendable {
  @usableFromInline typealias State = BoundedFlattenState<Outer, Element>

  @usableFromInline let state: Lock<State>
  @usableFromInline let serializer: EventSerializer<Event<Element>>
  @usableFromInline let subscriptions: CompositeDisposable

  @inlinable
  init(state: Lock<State>, serializer: EventSerializer<Event<Element>>, subscriptions: CompositeDisposable) {
    self.state = state
    self.serializer = serializer
    self.subscriptions = subscriptions
  }

  /// - Parameter keepsWaiting: Whether an element that arrives while all places are taken waits. If false, it is
  ///   dropped.
  @inlinable
  static func connecting(
    _ source: Observable<Outer>, to sink: @escaping Observable<Element>.Sink, limit: Int, keepsWaiting: Bool = true,
    _ transform: @escaping State.Transform
  ) -> Connecting {
    let state = Lock(State(limit: limit, keepsWaiting: keepsWaiting, transform: transform))
    let serializer = EventSerializer<Event<Element>> { forward($0, to: sink) }
    let subscriptions = CompositeDisposable(closing: serializer)
    let flatten = BoundedFlatten(state: state, serializer: serializer, subscriptions: subscriptions)
    let key = subscriptions.reserve()
    return subscriptions.connecting(source, key) { flatten.outer($0, key) }
  }

  @inlinable
  func outer(_ event: Event<Outer>, _ key: CompositeDisposable.Key) -> Demand {
    var dropped: State.Transform?
    switch event {
    case .next(let element):
      let demand = proceed(state.withLock { $0.arrive(element) })
      return subscriptions.isOpen ? demand : .noMore
    case .error(let error):
      _ = send(.error(error))
    case .completed:
      subscriptions.remove(key)
      if state.withLock({ $0.sourceCompleted(&dropped) }) { _ = send(.completed) }
    }
    return .noMore
  }

  /// Starts inner streams, one after the other, until one keeps running or no element waits.
  ///
  /// - Parameter place: The trampoline that consecutive inner streams of one place share.
  @inlinable
  func proceed(_ first: State.Step, in place: Lock<ResubscribeTrampoline>? = nil) -> Demand {
    var (step, place) = (first, place)
    while true {
      switch step {
      case .wait: return .more
      case .complete: return send(.completed)
      case .start(let element, let transform):
        let inner: Observable<Element>
        do {
          inner = try transform(element)
        } catch {
          _ = send(.error(error))
          return .noMore
        }
        if case .just(let element) = inner.representation {
          if send(.next(element)) == .noMore { return .noMore }
        } else {
          let trampoline = place ?? Lock(ResubscribeTrampoline())
          place = trampoline
          trampoline.withLock { $0.connecting() }
          if connect(inner, trampoline) == .noMore { return .noMore }
          if !trampoline.withLock({ $0.connected() }) { return .more }
        }
        var dropped: State.Transform?
        step = state.withLock { $0.innerCompleted(&dropped) }
      }
    }
  }

  @inlinable
  func connect(_ inner: Observable<Element>, _ trampoline: Lock<ResubscribeTrampoline>) -> Demand {
    guard let key = subscriptions.reserve() else { return .noMore }
    let subscription = inner.connect { event in
      guard case .completed = event else { return send(event) }
      // Releases the resources of the inner stream before the next one begins.
      subscriptions.dispose(key)
      if trampoline.withLock({ $0.ended() }) {
        var dropped: State.Transform?
        _ = proceed(state.withLock { $0.innerCompleted(&dropped) }, in: trampoline)
      }
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

/// The number of subscribed inner streams, and the elements that wait for their turn.
@usableFromInline
struct BoundedFlattenState<Outer: Sendable, Element: Sendable> {
  @usableFromInline typealias Transform = @Sendable (Outer) throws -> Observable<Element>

  @usableFromInline
  enum Step {
    case start(Outer, Transform)
    case wait, complete
  }

  @usableFromInline let limit: Int
  /// Whether an element that finds no free place waits. If false, it is dropped.
  @usableFromInline let keepsWaiting: Bool
  @usableFromInline var waiting = Queue<Outer>()
  @usableFromInline var running = 0
  @usableFromInline var isSourceAlive = true
  /// Nil once it will not be called again, so that a long-running inner stream does not keep the closure alive.
  @usableFromInline var transform: Transform?

  @inlinable
  init(limit: Int, keepsWaiting: Bool, transform: @escaping Transform) {
    self.limit = limit
    self.keepsWaiting = keepsWaiting
    self.transform = transform
  }

  @inlinable
  mutating func arrive(_ element: Outer) -> Step {
    if running == limit {
      if keepsWaiting { waiting.append(element) }
      return .wait
    }
    running += 1
    return .start(element, transform!)
  }

  /// Returns true if the stream is complete.
  @inlinable
  mutating func sourceCompleted(_ dropped: inout Transform?) -> Bool {
    isSourceAlive = false
    if waiting.isEmpty { swap(&dropped, &transform) }
    return running == 0
  }

  @inlinable
  mutating func innerCompleted(_ dropped: inout Transform?) -> Step {
    guard let element = waiting.popFirst() else {
      running -= 1
      return isSourceAlive || running > 0 ? .wait : .complete
    }
    let step = Step.start(element, transform!)
    if !isSourceAlive, waiting.isEmpty { swap(&dropped, &transform) }
    return step
  }
}
