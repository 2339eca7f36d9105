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
    .composing(asObservable()) { source, sink in
      let expansion = Expansion<Element>()
      let serializer = EventSerializer<Event<Element>>(continuingBy: expansion.continuation) { event in
        switch event {
        case .next(let element):
          let demand = sink(event)
          guard demand != .noMore, expansion.isOpen else { return .noMore }
          do {
            expansion.add(try transform(element))
            return demand
          } catch {
            return expansion.isOpen ? forward(.error(error), to: sink) : .noMore
          }
        case .error:
          return forward(event, to: sink)
        case .completed:
          return expansion.isFinished() ? forward(event, to: sink) : .more
        }
      }
      let subscriptions = expansion.subscriptions(closing: serializer)
      return expansion.connecting(source, serializer) ?? .done(subscriptions)
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

/// One subscription to `expand`.
///
/// The serializer's handler makes the inner streams. The thread that has sent the element subscribes to them, in a loop. A nested call
/// leaves its streams to that loop.
///
/// The handler retains this object, so this object holds the serializer weakly. The sinks of the streams retain both.
@usableFromInline
// Sendable: the lock; the references are set before the first event.
final class Expansion<Element: Sendable>: @unchecked Sendable {
  @usableFromInline
  struct State {
    @usableFromInline var waiting = Queue<Observable<Element>>()
    /// The number of streams that have not completed: the source and all inner streams that have been made.
    @usableFromInline var alive = 1
    /// The threads that are subscribing to inner streams.
    @usableFromInline var threads: [ThreadID] = []

    @inlinable
    init() {}

    @inlinable
    mutating func begin(_ thread: ThreadID) -> Bool {
      if waiting.isEmpty || threads.contains(thread) { return false }
      threads.append(thread)
      return true
    }

    @inlinable
    mutating func next(_ thread: ThreadID) -> Observable<Element>? {
      if let inner = waiting.popFirst() { return inner }
      threads.removeAll { $0 == thread }
      return nil
    }
  }

  @usableFromInline let state = Lock(State())
  @usableFromInline weak var serializer: EventSerializer<Event<Element>>?
  @usableFromInline var subscriptions: CompositeDisposable?

  @inlinable
  init() {}

  /// Makes the disposable of the operator.
  @inlinable
  func subscriptions(closing serializer: EventSerializer<Event<Element>>) -> CompositeDisposable {
    let subscriptions = CompositeDisposable(closing: serializer)
    self.serializer = serializer
    self.subscriptions = subscriptions
    return subscriptions
  }

  /// Continues a delivery that a sender has handed over. Then subscribes to the inner streams that it has made, because the sender has
  /// returned.
  @inlinable
  var continuation: Continuation {
    { [self] work in
      continueOnGlobalQueue { [self] in
        let serializer = serializer
        work()
        if let serializer { connectWaiting(serializer) }
      }
    }
  }

  @inlinable
  var isOpen: Bool {
    subscriptions?.isOpen ?? false
  }

  @inlinable
  func add(_ inner: Observable<Element>) {
    state.withLock { state in
      state.alive += 1
      state.waiting.append(inner)
    }
  }

  /// Counts a stream that has completed. Returns true if it was the last one.
  @inlinable
  func isFinished() -> Bool {
    state.withLock { state in
      state.alive -= 1
      return state.alive == 0
    }
  }

  @inlinable
  func connecting(_ stream: Observable<Element>, _ serializer: EventSerializer<Event<Element>>) -> Connecting? {
    guard let subscriptions, let key = subscriptions.reserve() else { return nil }
    return subscriptions.connectingChecked(stream, key) { [self] event in
      if case .completed = event { subscriptions.remove(key) }
      return receive(event, serializer)
    }
  }

  /// Sends the event to the serializer, and subscribes to the inner streams that wait. Returns the answer for the source.
  @inlinable
  func receive(_ event: Event<Element>, _ serializer: EventSerializer<Event<Element>>) -> Demand {
    let demand = serializer.send(event)
    if demand == .noMore {
      subscriptions?.dispose()
      return .noMore
    }
    connectWaiting(serializer)
    return isOpen ? demand : .noMore
  }

  /// Subscribes to the inner streams that wait, unless this thread is already subscribing further up the stack.
  @inlinable
  func connectWaiting(_ serializer: EventSerializer<Event<Element>>) {
    let thread = ThreadID.current
    guard state.withLock({ $0.begin(thread) }) else { return }
    while let inner = state.withLock({ $0.next(thread) }) {
      if case .just(let element) = inner.representation {
        if receive(.next(element), serializer) != .noMore { _ = receive(.completed, serializer) }
      } else {
        _ = connecting(inner, serializer)?.finish()
      }
    }
  }
}
