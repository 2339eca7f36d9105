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

  /// - Parameter keepsWaiting: False if an element is dropped that arrives while all places are taken.
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

  /// Starts inner streams, one after the other, until one is left running or nothing waits.
  ///
  /// - Parameter place: The inner streams that follow one another in a place share its trampoline.
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
      // The inner stream releases what it holds before the next one begins.
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

/// How many inner streams are subscribed, and which elements wait for their turn.
@usableFromInline
struct BoundedFlattenState<Outer: Sendable, Element: Sendable> {
  @usableFromInline typealias Transform = @Sendable (Outer) throws -> Observable<Element>

  @usableFromInline
  enum Step {
    case start(Outer, Transform)
    case wait, complete
  }

  @usableFromInline let limit: Int
  /// False if an element is dropped that finds no place.
  @usableFromInline let keepsWaiting: Bool
  @usableFromInline var waiting = Queue<Outer>()
  @usableFromInline var running = 0
  @usableFromInline var isSourceAlive = true
  /// Nil once it will not be called again: an inner stream that runs for long need not keep alive what it holds.
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

  /// True if the stream is complete.
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
