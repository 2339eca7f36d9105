/// What an element of a flattening operator does to the inner streams of the elements before it.
@usableFromInline
struct Overlap: Sendable {
  /// The number of inner streams that may run at the same time.
  @usableFromInline var limit = Int.max
  /// Whether an element that finds no place waits. If false, it is dropped.
  @usableFromInline var waits = true
  /// Whether it disposes the inner stream before it.
  @usableFromInline var replaces = false

  @inlinable
  init(limit: Int = .max, waits: Bool = true, replaces: Bool = false) {
    (self.limit, self.waits, self.replaces) = (limit, waits, replaces)
  }
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
      scope.connect(self, Sink(next: { inners.receive($0) }, end: { inners.sourceHasEnded($0) }))
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
    _ sink: Sink<Element>
  ) {
    let state = Guarded(InnersState<Outer>(), in: scope)
    (self.overlap, self.transform, self.scope, self.state) = (overlap, transform, scope, state)
    events = Serial(in: scope) { number, event in
      // The events of a stream that has been replaced may still wait.
      if number > 0, state.withLock({ $0.number != number }) { return .more }
      return sink.on(event)
    }
  }

  @inlinable
  func receive(_ element: Outer) -> Demand {
    // Without a limit nothing waits, so the state need not be asked.
    if overlap.limit == .max { return start(element).demand }
    return run(state.withLock { $0.arrive(element, overlap) })
  }

  @inlinable
  func sourceHasEnded(_ error: (any Error)?) {
    if let error { _ = events.send((0, .error(error))) } else { _ = proceed(0) { $0.isSourceAlive = false } }
  }

  /// Starts an element, and then those whose turn has come. An inner stream that ends while it is being started leaves its place to this
  /// loop, so nothing recurses.
  @inlinable
  func run(_ first: Outer?) -> Demand {
    var (next, demand) = (first, Demand.more)
    while demand == .more, let element = next.take() {
      let start = start(element)
      demand = start.demand
      next = proceed(0) { state in
        state.isStarting = false
        if start.hasEnded { state.running -= 1 }
      }
    }
    return demand
  }

  /// Subscribes to the inner stream of an element. If that is a single element, sends it instead, so that it has ended.
  @inline(__always)
  @inlinable
  func start(_ element: Outer) -> (demand: Demand, hasEnded: Bool) {
    do {
      let inner = try transform(element)
      if case .just(let element) = inner.representation {
        return (events.send((overlap.replaces ? replaceLatest(by: nil) : 0, .next(element))), true)
      }
      if let child = scope.child() { connect(inner, in: child) }
      return (events.isOpen ? .more : .noMore, false)
    } catch {
      // The error may wait for its turn. Until then, a source that ignores `.noMore` may still send.
      _ = events.send((0, .error(error)))
      return (.noMore, false)
    }
  }

  @inlinable
  func connect(_ inner: Observable<Element>, in child: Scope) {
    let number = overlap.replaces ? replaceLatest(by: child) : 0
    if overlap.limit == .max, !overlap.replaces { state.withLock { $0.running += 1 } }
    let stream = Inner(self, number, child)
    let sink = Sink<Element>(next: { stream.receive($0) }, end: { stream.end($0) })
    // The dispose of the previous inner stream may have disposed the subscription.
    if !overlap.replaces || child.isOpen { inner.connect(sink, in: child) }
  }

  /// Changes the state. Sends the completion if that is the end. Returns the element whose turn has come, unless the scope is closed: by
  /// what the inner stream has disposed at its end, for instance.
  @inline(__always)
  @inlinable
  func proceed(_ number: UInt64, _ change: (inout InnersState<Outer>) -> Void) -> Outer? {
    let (next, isOver) = state.withLock { state in
      change(&state)
      return scope.isClosed ? (nil, false) : (state.next(overlap), state.isOver)
    }
    if isOver { _ = events.send((number, .completed)) }
    return next
  }

  /// Makes `child` the scope of the latest inner stream, and disposes that of the previous one. Returns the number of the new one.
  @inline(__always)
  @inlinable
  func replaceLatest(by child: Scope?) -> UInt64 {
    var previous = child
    let number = state.withLock { state in
      swap(&previous, &state.latest)
      state.running = child == nil ? 0 : 1
      state.number += 1
      return state.number
    }
    previous?.dispose()
    return number
  }
}

/// One inner stream. An object, so that two closures share it.
@usableFromInline
final class Inner<Outer: Sendable, Element: Sendable>: Sendable {
  @usableFromInline let (inners, number, scope): (Inners<Outer, Element>, UInt64, Scope)

  @inlinable
  init(_ inners: Inners<Outer, Element>, _ number: UInt64, _ scope: Scope) {
    (self.inners, self.number, self.scope) = (inners, number, scope)
  }

  @inlinable
  func receive(_ element: Element) -> Demand { inners.events.send((number, .next(element))) }

  @inlinable
  func end(_ error: (any Error)?) {
    if !scope.close() { return }
    _ = error.map { inners.events.send((number, .error($0))) } ?? inners.run(inners.proceed(number) { $0.end(number) })
  }
}

/// Which inner streams of a subscription are running, and which elements wait.
@usableFromInline
struct InnersState<Outer: Sendable>: Sendable {
  @usableFromInline var waiting = Queue<Outer>()
  @usableFromInline var running = 0
  @usableFromInline var isSourceAlive = true
  /// Whether a thread is starting an inner stream, and then looks what waits.
  @usableFromInline var isStarting = false
  /// The number of the latest inner stream, and its scope while it is running. Counted if each element replaces the one before it.
  @usableFromInline var number: UInt64 = 0
  @usableFromInline var latest: Scope?

  @inlinable
  init() {}

  @inlinable
  var isOver: Bool { !isSourceAlive && running == 0 && waiting.isEmpty }

  /// Returns the element if it is started now.
  @inlinable
  mutating func arrive(_ element: Outer, _ overlap: Overlap) -> Outer? {
    if isStarting || running == overlap.limit {
      if overlap.waits { waiting.append(element) }
      return nil
    }
    (running, isStarting) = (running + 1, true)
    return element
  }

  /// Returns the waiting element that is started now.
  @inlinable
  mutating func next(_ overlap: Overlap) -> Outer? {
    if waiting.isEmpty || isStarting { return nil }
    return running == overlap.limit ? nil : waiting.popFirst().flatMap { arrive($0, overlap) }
  }

  /// Ends an inner stream, unless it has been replaced.
  @inlinable
  mutating func end(_ number: UInt64) {
    if number != self.number { return }
    (latest, running) = (nil, running - 1)
  }
}
