extension ObservableType {
  /// Subscribes to the source again when it fails, at most `maxAttempts` times in all.
  ///
  ///     source    --1--#
  ///     source         --1--#
  ///     retry(2)  --1----1--#
  ///
  /// Subscribes again on the thread on which the error arrives, without recursion. The error of the last attempt ends
  /// the stream. A `maxAttempts` of 0 or less is a programming mistake and is trapped.
  @inlinable
  public func retry(_ maxAttempts: Int) -> Observable<Element> {
    require(maxAttempts > 0, "retry: maxAttempts must be greater than 0")
    return .composing(asObservable()) { source, sink in
      let serializer = EventSerializer<Event<Element>> { forward($0, to: sink) }
      let subscriptions = CompositeDisposable(closing: serializer)
      let attempts = Lock(RetryState(left: maxAttempts))
      return Retry(source: source, attempts: attempts, serializer: serializer, subscriptions: subscriptions).starting()
    }
  }
}

@usableFromInline
struct RetryState {
  @usableFromInline var left: Int
  @usableFromInline var trampoline = ResubscribeTrampoline()

  @inlinable
  init(left: Int) {
    self.left = left
  }

  @inlinable
  mutating func begin() {
    left -= 1
    trampoline.connecting()
  }
}

/// One subscription to `retry`.
@usableFromInline
struct Retry<Element: Sendable>: Sendable {
  @usableFromInline let source: Observable<Element>
  @usableFromInline let attempts: Lock<RetryState>
  @usableFromInline let serializer: EventSerializer<Event<Element>>
  @usableFromInline let subscriptions: CompositeDisposable

  @inlinable
  init(
    source: Observable<Element>, attempts: Lock<RetryState>, serializer: EventSerializer<Event<Element>>,
    subscriptions: CompositeDisposable
  ) {
    self.source = source
    self.attempts = attempts
    self.serializer = serializer
    self.subscriptions = subscriptions
  }

  @inlinable
  func starting() -> Connecting {
    while let key = subscriptions.reserve() {
      attempts.withLock { $0.begin() }
      let connecting = subscriptions.connecting(source, key) { receive($0, key) }
      if !connecting.isDone {
        return connecting.then { isToStartAgain() ? starting() : .done(subscriptions) }
      }
      if !isToStartAgain() { break }
    }
    return .done(subscriptions)
  }

  @inlinable
  func isToStartAgain() -> Bool {
    attempts.withLock { $0.trampoline.connected() }
  }

  @inlinable
  func receive(_ event: Event<Element>, _ key: CompositeDisposable.Key) -> Demand {
    // The attempt releases what it holds before the next one begins.
    if event.isTerminal { subscriptions.dispose(key) }
    if case .error = event, attempts.withLock({ $0.left > 0 }) {
      if attempts.withLock({ $0.trampoline.ended() }) { _ = starting().finish() }
      return .noMore
    }
    return subscriptions.dispose(unlessWanted: serializer.send(event))
  }
}
