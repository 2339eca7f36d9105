/// Which inner streams of a flattening operator run at the same time.
@usableFromInline
enum Overlap: Sendable {
  /// All of them.
  case unlimited
  /// At most this many. An element that arrives above the limit waits or, if it doesn't wait, is dropped.
  case limited(Int, waits: Bool = true)
  /// The latest one, which disposes the one before it.
  case latest

  @inlinable
  var isLatest: Bool { if case .latest = self { true } else { false } }
}

extension Observable {
  /// Maps each element to an inner stream: the driver of all operators with inner streams.
  ///
  /// The source and the inner streams share one serial queue for what they send. An element is started on the thread on which it arrives
  /// or, if it has waited, on the thread that ends or starts the inner stream before it.
  @inlinable
  func flatten<Result: Sendable>(
    _ overlap: Overlap, _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    Observable<Result> { sink, scope in
      let inners = InnerStreams(overlap, transform, in: scope, sink)
      scope.connect(self, Sink(next: { inners.receive($0) }, end: { inners.sourceHasEnded($0) }))
    }
  }
}

/// The inner streams of one subscription. The source and each inner stream retain it.
@usableFromInline
final class InnerStreams<Outer: Sendable, Element: Sendable>: Sendable {
  /// An event, with the number of the inner stream that sends it. Only with ``Overlap/latest`` do inner streams have numbers, by which the
  /// events of a replaced one are dropped. Every other event has the number 0.
  @usableFromInline typealias Input = (number: UInt64, event: Event<Element>)

  @usableFromInline let overlap: Overlap
  @usableFromInline let transform: @Sendable (Outer) throws -> Observable<Element>
  @usableFromInline let scope: Scope
  @usableFromInline let state: Guarded<InnerStreamsState<Outer>>
  @usableFromInline let events: Serial<Input>

  @inlinable
  init(
    _ overlap: Overlap, _ transform: @escaping @Sendable (Outer) throws -> Observable<Element>, in scope: Scope,
    _ sink: Sink<Element>
  ) {
    let state = Guarded(InnerStreamsState<Outer>(), in: scope)
    (self.overlap, self.transform, self.scope, self.state) = (overlap, transform, scope, state)
    events = Serial(in: scope) { number, event in
      // The events of a stream that has been replaced may still wait.
      if number > 0, state.withLock({ $0.number != number }) { return .more }
      return sink.on(event)
    }
  }

  // MARK: Starting

  /// Receives an element of the source.
  @inlinable
  func receive(_ element: Outer) -> Demand {
    // Without a limit nothing waits, so the state need not be asked.
    guard case .limited(let limit, let waits) = overlap else { return start(element).demand }
    return run(state.withLock { $0.arrive(element, limit, waits: waits) })
  }

  /// Starts an element, and then those whose turn has come. An inner stream that ends while it is being started leaves its place to this
  /// loop, so nothing recurses. Precondition: the state has just returned `first`, so this thread is the one that starts.
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

  /// Subscribes to the inner stream of an element. If the stream is a single element, sends that instead: the stream has ended then.
  @inline(__always)
  @inlinable
  func start(_ element: Outer) -> (demand: Demand, hasEnded: Bool) {
    do {
      let inner = try transform(element)
      if case .just(let element) = inner.representation {
        return (events.send((overlap.isLatest ? replaceLatest(by: nil) : 0, .next(element))), true)
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
    let number = overlap.isLatest ? replaceLatest(by: child) : 0
    // With a limit, the arrival of the element has counted it.
    if case .unlimited = overlap { state.withLock { $0.running += 1 } }
    let stream = InnerStream(self, number, child)
    let sink = Sink<Element>(next: { stream.receive($0) }, end: { stream.end($0) })
    // The dispose of the previous inner stream may have disposed the subscription.
    if !overlap.isLatest || child.isOpen { inner.connect(sink, in: child) }
  }

  /// Makes `child` the scope of the latest inner stream, and disposes the one before it. Nil stands for an inner stream that is a single
  /// element. Returns the number of the new stream.
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

  // MARK: Ending

  @inlinable
  func sourceHasEnded(_ error: (any Error)?) { end(0, error) { $0.isSourceAlive = false } }

  /// Sends the error of a stream or, without one, changes the state and starts the element whose turn has come.
  @inline(__always)
  @inlinable
  func end(_ number: UInt64, _ error: (any Error)?, _ change: (inout InnerStreamsState<Outer>) -> Void) {
    if let error { _ = events.send((number, .error(error))) } else { _ = run(proceed(number, change)) }
  }

  /// Changes the state. Sends the completion if that is the end. Returns the element whose turn has come, for ``run(_:)``, but nil if the
  /// scope is closed: by what the inner stream has disposed at its end, for instance.
  @inline(__always)
  @inlinable
  func proceed(_ number: UInt64, _ change: (inout InnerStreamsState<Outer>) -> Void) -> Outer? {
    let (next, isOver) = state.withLock { state in
      change(&state)
      return scope.isClosed ? (nil, false) : (state.next(overlap), state.isOver)
    }
    if isOver { _ = events.send((number, .completed)) }
    return next
  }
}

/// One inner stream. An object, so that two closures share it.
@usableFromInline
final class InnerStream<Outer: Sendable, Element: Sendable>: Sendable {
  @usableFromInline let (inners, number, scope): (InnerStreams<Outer, Element>, UInt64, Scope)

  @inlinable
  init(_ inners: InnerStreams<Outer, Element>, _ number: UInt64, _ scope: Scope) {
    (self.inners, self.number, self.scope) = (inners, number, scope)
  }

  @inlinable
  func receive(_ element: Element) -> Demand { inners.events.send((number, .next(element))) }

  @inlinable
  func end(_ error: (any Error)?) { if scope.end() { inners.end(number, error) { $0.end(number) } } }
}

/// Which inner streams of a subscription are running, and which elements wait. The lock of the scope guards it.
@usableFromInline
struct InnerStreamsState<Outer: Sendable>: Sendable {
  @usableFromInline var isSourceAlive = true
  /// The number of inner streams that are running. With a limit, an element counts from the moment at which it may start.
  @usableFromInline var running = 0

  // Used with a limit only.
  @usableFromInline var waiting = Queue<Outer>()
  /// Whether a thread is starting an inner stream, and then looks what waits.
  @usableFromInline var isStarting = false

  // Used with `latest` only.
  /// The number of the latest inner stream, and its scope while it is running.
  @usableFromInline var number: UInt64 = 0
  @usableFromInline var latest: Scope?

  @inlinable
  init() {}

  @inlinable
  var isOver: Bool { !isSourceAlive && running == 0 && waiting.isEmpty }

  /// Returns the element if it may start now. Otherwise it waits or is dropped.
  @inlinable
  mutating func arrive(_ element: Outer, _ limit: Int, waits: Bool) -> Outer? {
    if isStarting || running == limit {
      if waits { waiting.append(element) }
      return nil
    }
    (running, isStarting) = (running + 1, true)
    return element
  }

  /// Returns the waiting element that may start now.
  @inlinable
  mutating func next(_ overlap: Overlap) -> Outer? {
    guard !waiting.isEmpty, !isStarting, case .limited(let limit, _) = overlap, running < limit else { return nil }
    (running, isStarting) = (running + 1, true)
    return waiting.popFirst()
  }

  /// Ends an inner stream, unless it has been replaced. The caller retains its scope, so nothing is released under the lock.
  @inlinable
  mutating func end(_ number: UInt64) {
    if number != self.number { return }
    (latest, running) = (nil, running - 1)
  }
}
