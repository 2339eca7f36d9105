extension ObservableType {
  /// Shares one subscription to the source among all subscribers.
  ///
  ///     source            --1--2-----3--|
  ///     share()           --1--2-----3--|
  ///     share()                   ---3--|
  ///     share(replay: 1)  --1--2-----3--|
  ///     share(replay: 1)          2--3--|
  ///
  /// The first subscriber starts the subscription to the source, on its own thread; the subscription ends with the last
  /// subscriber. The next subscriber starts afresh, also after the source has ended. A subscriber first receives the
  /// last `replay` elements of the connection, on the subscribing thread, then each later element exactly once
  /// (contract 1.5).
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
      if let connection { self?.forget(connection) }
    }
    let subscriber = Observable { connection.core.connect($0) }.onEnd { membership }.connect(sink)
    return isFirst ? connecting(connection).then { .done(subscriber) } : .done(subscriber)
  }

  /// The connection that is open, or a new one.
  @inlinable
  func join() -> (connection: SharedConnection<Element>, isFirst: Bool) {
    while true {
      let fresh = SharedConnection<Element>(bufferSize: bufferSize)
      let current = connection.withLock { current in
        if current == nil { current = fresh }
        return current!
      }
      if current.upstream.join() { return (current, current === fresh) }
      forget(current)
    }
  }

  /// Subscribes to the source.
  ///
  /// The subscribers get the terminal event after the subscription to the source has been disposed, because they may
  /// connect again at that event. A terminal event that the source sends while it is being subscribed waits until there
  /// is a subscription to dispose.
  @inlinable
  func connecting(_ connection: SharedConnection<Element>) -> Connecting {
    let upstream = connection.upstream.subscription
    guard let key = upstream.reserve() else { return .done(upstream) }
    let ending = Lock(SharedEnding<Element>())
    let end: @Sendable (Event<Element>) -> Void = { [weak self] terminal in
      upstream.dispose(key)
      connection.upstream.close()
      self?.forget(connection)
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
  func forget(_ connection: SharedConnection<Element>) {
    var forgotten: SharedConnection<Element>?
    self.connection.withLock { current in
      if current === connection { swap(&forgotten, &current) }
    }
  }
}
