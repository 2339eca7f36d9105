extension ObservableType {
  /// Sends each element, then maps it to an inner stream and sends the elements of that stream in the same way.
  ///
  ///     source         --1--|
  ///     inner 1          ---2|
  ///     inner 2             ---3|
  ///     inner 3                |
  ///     expand(inner)  --1--2--3|
  ///
  /// Calls `transform` with an element after the subscriber has received it, on the same thread. Subscribes to inner streams that send
  /// synchronously one after the other, so their elements arrive level by level. The stack does not grow with the levels. The inner streams
  /// may send from several threads; the operator sends their elements one at a time. The stream completes when the source and all inner
  /// streams have completed. An error of a stream, or an error that `transform` throws, ends the stream and all subscriptions.
  @inlinable
  public func expand(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Element>
  ) -> Observable<Element> {
    let source = asObservable()
    return .serial { sink, scope in
      let (running, inners) = (SubscriptionState(1), Expansion<Element>(in: scope))
      let serial = Serial<Expansion<Element>.Input>(in: scope, continuingBy: inners.continuation) { event, sender in
        guard case .next(let element) = event else {
          return running.isOneOfSeveralEnds(event) ? .more : forward(event, to: sink)
        }
        guard sink(event) == .more, scope.isOpen else { return .noMore }
        do {
          inners.add(try transform(element), isForeign: !sender.isCurrent)
          running.value += 1
          return .more
        } catch {
          return scope.isOpen ? forward(.error(error), to: sink) : .noMore
        }
      }
      inners.serial = serial
      scope.connect(source: source) { inners.send($0, to: serial) }
    }
  }

  /// Sends each element, then maps it to an inner stream of another type, such as a subject, and sends the elements of that stream in the
  /// same way.
  ///
  ///     source            --1--|
  ///     inner 1             ---2|
  ///     inner 2                |
  ///     expand(subjects)  --1--2|
  ///
  /// Otherwise like the form whose closure returns an ``Observable``.
  @inlinable
  public func expand<Inner: ObservableType>(
    _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Element> where Inner.Element == Element {
    expand { try transform($0).asObservable() }
  }
}

/// The inner streams of one subscription to `expand` that are still to be subscribed.
///
/// The handler of the elements makes the inner streams. The thread on which it runs subscribes to them after the handler has returned, one
/// after the other. A nested call leaves its streams to the loop further up its stack.
@usableFromInline
// Sendable: the lock; `serial` is set before the first event.
final class Expansion<Element: Sendable>: @unchecked Sendable {
  /// An event, and the thread that has sent it.
  @usableFromInline typealias Input = (event: Event<Element>, sender: ThreadID)
  @usableFromInline typealias Inners = Queue<(stream: Observable<Element>, isForeign: Bool)>

  /// The inner streams that a thread has made, and that it subscribes to.
  @usableFromInline
  struct Agenda {
    @usableFromInline let thread = ThreadID.current
    @usableFromInline var inners: Inners
    /// The number of other threads' elements after which this thread hands over the inner streams that it has made from them
    /// (contract 1.10).
    @usableFromInline var allowance = DeliveryQueue<Element>.limit

    @inlinable
    init(_ inners: Inners) {
      self.inners = inners
    }

    @inlinable
    mutating func next() -> Observable<Element>? {
      guard let first = inners.first, !first.isForeign || allowance > 0 else { return nil }
      return inners.popFirst()?.stream
    }
  }

  /// One for each thread that is subscribing to inner streams.
  @usableFromInline let agendas: Guarded<[Agenda]>
  /// Weak: its handler retains this object.
  @usableFromInline weak var serial: Serial<Input>?

  @inlinable
  init(in scope: Scope) {
    agendas = Guarded([], in: scope)
  }

  /// Continues a delivery that a sender has handed over.
  @inlinable
  var continuation: Continuation {
    { [self] deliver in
      continueOnGlobalQueue { [self] in
        if let serial { subscribe(through: serial, after: deliver) }
      }
    }
  }

  /// Sends an event to the handler, then subscribes to the inner streams that the handler has made on this thread.
  @inlinable
  func send(_ event: Event<Element>, to serial: Serial<Input>) -> Demand {
    subscribe(through: serial) { _ = serial.send((event, .current)) }
    return serial.isOpen ? .more : .noMore
  }

  /// Called by the handler. `isForeign` tells whether another thread has sent the element.
  @inlinable
  func add(_ inner: Observable<Element>, isForeign: Bool) {
    withAgenda { agenda in
      agenda.inners.append((inner, isForeign))
      if isForeign { agenda.allowance -= 1 }
    }
  }

  /// Runs `body`, then subscribes to the inner streams that it has made, unless a frame further up this thread's stack does that.
  @inlinable
  func subscribe(_ inners: Inners = Queue(), through serial: Serial<Input>, after body: () -> Void = {}) {
    let isNested = withAgenda { _ in } != nil
    if !isNested { agendas.withLock { $0.append(Agenda(inners)) } }
    body()
    if isNested { return }
    while let inner = withAgenda({ $0.next() }) ?? nil {
      serial.scope.connect(inner: inner) { [self] in send($0, to: serial) }
    }
    let rest = agendas.withLock { all in all.remove(at: all.firstIndex(where: \.thread.isCurrent)!).inners }
    if !rest.isEmpty { continueOnGlobalQueue { [self] in subscribe(rest, through: serial) } }
  }

  /// Calls `body` with the agenda of the calling thread. Returns nil if it has none.
  @inlinable
  @discardableResult
  func withAgenda<Result>(_ body: (inout Agenda) -> Result) -> Result? {
    agendas.withLock { all in all.firstIndex(where: \.thread.isCurrent).map { body(&all[$0]) } }
  }
}
