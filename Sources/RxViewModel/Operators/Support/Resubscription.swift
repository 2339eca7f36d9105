/// One subscription to an operator that subscribes to its source again when the source ends: `retry` and `repeat`.
///
/// An attempt releases its resources before the next one begins. The stack does not grow with the number of attempts (contract 1.6).
@usableFromInline
struct Resubscription<Element: Sendable>: Sendable {
  /// Handles the end of an attempt. Returns true if it has called ``resubscribe()`` or will call it later, and false if the subscriber gets
  /// the end.
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
  ) -> Connecting {
    let serializer = EventSerializer<Event<Element>> { forward($0, to: sink) }
    let subscriptions = CompositeDisposable(closing: serializer)
    return Resubscription(
      source: source, serializer: serializer, subscriptions: subscriptions, handlesEnd: handlesEnd
    ).starting()
  }

  /// Subscribes to the source, and subscribes again in a loop while attempts end before `connect` has returned.
  ///
  /// - Returns: The first step. The result is the operator's disposable.
  @inlinable
  func starting() -> Connecting {
    while let key = subscriptions.reserve() {
      trampoline.withLock { $0.connecting() }
      let connecting = subscriptions.connecting(source, key) { receive($0, key) }
      if !connecting.isDone {
        return connecting.then { hasEndedMeanwhile() ? starting() : .done(subscriptions) }
      }
      if !hasEndedMeanwhile() { break }
    }
    return .done(subscriptions)
  }

  /// Whether the attempt ended before `connect` returned.
  @inlinable
  func hasEndedMeanwhile() -> Bool {
    trampoline.withLock { $0.connected() }
  }

  /// Subscribes to the source again. The end handler calls this once for each end that it handles, from any thread.
  @inlinable
  func resubscribe() {
    if trampoline.withLock({ $0.ended() }) { _ = starting().finish() }
  }

  @inlinable
  func receive(_ event: Event<Element>, _ key: CompositeDisposable.Key) -> Demand {
    if event.isTerminal {
      subscriptions.dispose(key)
      if handlesEnd(event, self) { return .noMore }
    }
    return send(event)
  }

  @inlinable
  func send(_ event: Event<Element>) -> Demand {
    subscriptions.dispose(unlessWanted: serializer.send(event))
  }
}
