/// One subscription to an operator that subscribes to its source again when the source ends: `retry` and `repeat`.
///
/// An attempt releases what it holds before the next one begins. The stack does not grow with the number of attempts
/// (contract 1.6).
@usableFromInline
struct Resubscription<Element: Sendable>: Sendable {
  /// Decides what follows the end of an attempt. Returns true if it has called ``resubscribe()`` or will call it later,
  /// false if the end goes to the subscriber.
  @usableFromInline typealias EndHandler = @Sendable (_ end: Event<Element>, _ subscription: Resubscription) -> Bool

  @usableFromInline let source: Observable<Element>
  @usableFromInline let trampoline = Lock(ResubscribeTrampoline())
  @usableFromInline let serializer: EventSerializer<Event<Element>>
  @usableFromInline let subscriptions: CompositeDisposable
  @usableFromInline let handlesEnd: EndHandler

  @inlinable
  init(
    source: Observable<Element>, serializer: EventSerializer<Event<Element>>, subscriptions: CompositeDisposable,
    handlesEnd: @escaping EndHandler
  ) {
    self.source = source
    self.serializer = serializer
    self.subscriptions = subscriptions
    self.handlesEnd = handlesEnd
  }

  /// Makes the first attempt.
  @inlinable
  static func connect(
    _ source: Observable<Element>, to sink: @escaping Observable<Element>.Sink, _ handlesEnd: @escaping EndHandler
  ) -> any Disposable {
    let serializer = EventSerializer<Event<Element>> { forward($0, to: sink) }
    let subscriptions = CompositeDisposable(closing: serializer)
    Resubscription(source: source, serializer: serializer, subscriptions: subscriptions, handlesEnd: handlesEnd).start()
    return subscriptions
  }

  /// Subscribes to the source, and again for as long as the attempts end while they are being subscribed.
  @inlinable
  func start() {
    repeat {
      guard let key = subscriptions.reserve() else { return }
      trampoline.withLock { $0.connecting() }
      subscriptions.set(key, to: source.connect { receive($0, key) })
    } while trampoline.withLock { $0.connected() }
  }

  /// Subscribes to the source again. The end handler calls this once for each end that it handles, from any thread.
  @inlinable
  func resubscribe() {
    if trampoline.withLock({ $0.ended() }) { start() }
  }

  @inlinable
  func receive(_ event: Event<Element>, _ key: CompositeDisposable.Key) -> Bool {
    if event.isTerminal {
      subscriptions.dispose(key)
      if handlesEnd(event, self) { return false }
    }
    return send(event)
  }

  /// Returns, as a sink does, whether more is wanted.
  @inlinable
  func send(_ event: Event<Element>) -> Bool {
    if serializer.send(event) { return true }
    subscriptions.dispose()
    return false
  }
}
