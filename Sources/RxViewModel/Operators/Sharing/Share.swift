extension ObservableType {
  /// Shares one subscription to the source among all subscribers.
  ///
  ///     source            --1--2-----3--|
  ///     share()           --1--2-----3--|
  ///     share()                   ---3--|
  ///     share(replay: 1)  --1--2-----3--|
  ///     share(replay: 1)          2--3--|
  ///
  /// The first subscriber connects: `share` subscribes to the source on that subscriber's thread. When the last subscriber leaves, or when
  /// the source ends, the connection ends. The next subscriber makes a new connection, with an empty buffer. A subscriber first receives
  /// the last `replay` elements of the connection, on the subscribing thread, then each later element exactly once (contract 1.5).
  ///
  /// A subscriber that subscribes again from inside its terminal callback joins the new connection. A negative `replay`
  /// is a programming mistake and is trapped.
  @inlinable
  public func share(replay: Int = 0) -> Observable<Element> {
    require(replay >= 0, "share: replay must not be negative")
    let source = asObservable().linked
    let shared = Shared(source: source, bufferSize: replay)
    return Observable(.composed(depth: source.depth + 1) { shared.connecting($0) })
  }
}

/// One `share`: its source and its open connection.
@usableFromInline
final class Shared<Element: Sendable>: Sendable {
  @usableFromInline let source: Observable<Element>
  @usableFromInline let bufferSize: Int
  @usableFromInline let connection = Lock<SharedConnection<Element>?>(nil)

  @inlinable
  init(source: Observable<Element>, bufferSize: Int) {
    self.source = source
    self.bufferSize = bufferSize
  }

  @inlinable
  func connecting(_ sink: @escaping Observable<Element>.Sink) -> Connecting {
    let (connection, isFirst) = join()
    let membership = SharedMembership(connection.upstream) { [weak self, weak connection] in
      if let connection { self?.release(connection) }
    }
    let subscriber = Observable { connection.core.connect($0) }.onEnd { membership }.connect(sink)
    return isFirst ? connecting(connection).then { .done(subscriber) } : .done(subscriber)
  }

  /// Joins the open connection, or makes a new one.
  @inlinable
  func join() -> (connection: SharedConnection<Element>, isFirst: Bool) {
    while true {
      let fresh = SharedConnection<Element>(bufferSize: bufferSize)
      let current = connection.withLock { current in
        if current == nil { current = fresh }
        return current!
      }
      if current.upstream.addSubscriber() { return (current, current === fresh) }
      release(current)
    }
  }

  /// Subscribes to the source.
  ///
  /// Disposes the subscription to the source before the subscribers get the terminal event, because they may connect again at that event.
  /// If the source sends its terminal event while this subscribes, the event waits until `connect` has returned the subscription.
  @inlinable
  func connecting(_ connection: SharedConnection<Element>) -> Connecting {
    let upstream = connection.upstream.subscription
    guard let key = upstream.reserve() else { return .done(upstream) }
    let ending = Lock(SharedEnding<Element>())
    let end: @Sendable (Event<Element>) -> Void = { [weak self] terminal in
      upstream.dispose(key)
      connection.upstream.close()
      self?.release(connection)
      connection.core.on(terminal)
    }
    return upstream.connecting(source, key) { event in
      guard event.isTerminal else {
        connection.core.on(event)
        return upstream.isOpen ? .more : .noMore
      }
      if !ending.withLock({ $0.isOverWhileConnecting(with: event) }) { end(event) }
      return .noMore
    }.then {
      if let terminal = ending.withLock({ $0.connected() }) { end(terminal) }
      return .done(upstream)
    }
  }

  @inlinable
  func release(_ connection: SharedConnection<Element>) {
    var released: SharedConnection<Element>?
    self.connection.withLock { current in
      if current === connection { swap(&released, &current) }
    }
  }
}
