/// What the element of a flattening operator does to the inner streams of the elements before it.
@usableFromInline
enum Overlap: Sendable {
  /// Runs beside them.
  case joins
  /// Waits while this number of them is running.
  case waits(limit: Int)
  /// Replaces the latest one.
  case replaces
  /// Is dropped while one is running.
  case yields
}

extension Observable {
  /// Maps each element to an inner stream: the driver of all operators with inner streams.
  ///
  /// The source and the inner streams share one serial queue for what they send. An element is started on the thread on which it arrives,
  /// or on which its turn comes.
  @inlinable
  func flatten<Result: Sendable>(
    _ overlap: Overlap, _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    Observable<Result> { sink, scope in
      let inners = Inners(overlap, transform, in: scope, sink)
      scope.connect(self) { inners.receive($0) }
    }
  }
}

/// The inner streams of one subscription. The source and each inner stream retain it.
@usableFromInline
final class Inners<Outer: Sendable, Element: Sendable>: Sendable {
  /// An event, with the number of the inner stream that sends it. An event with the number 0 is not dropped.
  @usableFromInline typealias Input = (number: UInt64, event: Event<Element>)

  @usableFromInline let overlap: Overlap
  @usableFromInline let transform: @Sendable (Outer) throws -> Observable<Element>
  @usableFromInline let scope: Scope
  @usableFromInline let state: Guarded<InnersState<Outer>>
  @usableFromInline let events: Serial<Input>

  @inlinable
  init(
    _ overlap: Overlap, _ transform: @escaping @Sendable (Outer) throws -> Observable<Element>, in scope: Scope,
    _ sink: @escaping Observable<Element>.Sink
  ) {
    (self.overlap, self.transform, self.scope) = (overlap, transform, scope)
    let state = Guarded(InnersState<Outer>(), in: scope)
    self.state = state
    events = Serial(in: scope) { number, event in
      // The events of a stream that has been replaced may still wait.
      if number > 0, state.withLock({ $0.number != number }) { return .more }
      return forward(event, to: sink)
    }
  }

  @inlinable
  func receive(_ event: Event<Outer>) -> Demand {
    switch event {
    case .next(let element):
      switch overlap {
      // Nothing waits, so the state need not be asked.
      case .joins, .replaces: return start(element).demand
      case .waits(let limit):
        return run(state.withLock { $0.arrive(element, limit: limit, waits: true) })
      case .yields:
        return run(state.withLock { $0.arrive(element, limit: 1, waits: false) })
      }
    case .error(let error):
      _ = events.send((0, .error(error)))
      return .noMore
    case .completed:
      if state.withLock({ $0.end(nil) }) { _ = events.send((0, .completed)) }
      return .more
    }
  }

  /// Starts an element, and then those that wait, as long as there is a place.
  @inlinable
  func run(_ first: Outer?) -> Demand {
    var (next, demand) = (first, Demand.more)
    while demand == .more, let element = next.take() {
      let start = start(element)
      demand = start.demand
      let isOver = state.withLock { state in
        state.isStarting = false
        let isOver = start.hasEnded && state.end(nil)
        next = state.next()
        return isOver
      }
      if isOver { return events.send((0, .completed)) }
    }
    return demand
  }

  /// Subscribes to the inner stream of an element. Returns whether that has been a single element, which has been sent.
  @inline(__always)
  @inlinable
  func start(_ element: Outer) -> (demand: Demand, hasEnded: Bool) {
    let inner: Observable<Element>
    do {
      inner = try transform(element)
    } catch {
      _ = events.send((0, .error(error)))
      return (.noMore, false)
    }
    if case .just(let element) = inner.representation {
      return (events.send((replaces ? replaceLatest(by: nil) : 0, .next(element))), true)
    }
    guard let child = scope.child() else { return (.noMore, false) }
    connect(inner, in: child)
    return (events.isOpen ? .more : .noMore, false)
  }

  @inlinable
  func connect(_ inner: Observable<Element>, in child: Scope) {
    var number: UInt64 = 0
    switch overlap {
    case .joins: state.withLock { $0.running += 1 }
    case .replaces: number = replaceLatest(by: child)
    case .waits, .yields: break
    }
    inner.connect(
      { [self, number] event in
        guard case .completed = event else { return events.send((number, event)) }
        end(number)
        return .noMore
      }, closing: child)
  }

  @inlinable
  func end(_ number: UInt64) {
    var next: Outer?
    let isOver = state.withLock { state in
      let isOver = state.end(number)
      next = state.next()
      return isOver
    }
    if isOver { _ = events.send((number, .completed)) }
    if next != nil { _ = run(next) }
  }

  @inlinable
  var replaces: Bool { if case .replaces = overlap { true } else { false } }

  /// Makes `child` the scope of the latest inner stream, and disposes that of the previous one. Returns the number of the new one.
  @inline(__always)
  @inlinable
  func replaceLatest(by child: Scope?) -> UInt64 {
    var previous = child
    let number = state.withLock { state in
      swap(&previous, &state.latest)
      state.running += (child == nil ? 0 : 1) - (previous == nil ? 0 : 1)
      state.number += 1
      return state.number
    }
    previous?.dispose()
    return number
  }
}

/// Which inner streams of a subscription are running, and which elements wait.
@usableFromInline
struct InnersState<Outer: Sendable>: Sendable {
  @usableFromInline var waiting = Queue<Outer>()
  /// The number of running inner streams, and 1 for the source.
  @usableFromInline var running = 1
  @usableFromInline var limit = 0
  /// Whether a thread is subscribing to an inner stream. It then starts those that wait, so that nothing recurses.
  @usableFromInline var isStarting = false
  /// The number of the latest inner stream, and its scope while it is running. Counted for ``Overlap/replaces``.
  @usableFromInline var number: UInt64 = 0
  @usableFromInline var latest: Scope?

  @inlinable
  init() {}

  /// Returns the element if it is started now.
  @inlinable
  mutating func arrive(_ element: Outer, limit: Int, waits: Bool) -> Outer? {
    self.limit = limit
    if isStarting || running > limit {
      if waits { waiting.append(element) }
      return nil
    }
    (running, isStarting) = (running + 1, true)
    return element
  }

  /// Returns the waiting element that is started now.
  @inlinable
  mutating func next() -> Outer? {
    if isStarting || running > limit || waiting.isEmpty { return nil }
    (running, isStarting) = (running + 1, true)
    return waiting.popFirst()
  }

  /// Ends an inner stream, or the source. Returns whether nothing is running or waiting any more.
  @inlinable
  mutating func end(_ number: UInt64?) -> Bool {
    if let number, number > 0 {
      guard number == self.number, latest != nil else { return false }
      latest = nil
    }
    running -= 1
    return running == 0 && waiting.isEmpty
  }
}
