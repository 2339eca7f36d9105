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
    let shared = Shared(source: asObservable(), bufferSize: replay)
    // Neither template: many subscribers share one subscription.
    return Observable { shared.connect($0, in: $1) }
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
  func connect(_ sink: @escaping Observable<Element>.Sink, in scope: Scope) {
    let (connection, isFirst) = join()
    let (count, upstream) = (connection.count, connection.scope)
    scope.add(
      Disposables.create { [weak self, weak connection] in
        let isLast = count.withLock { count in
          count = count == 1 ? nil : count.map { $0 - 1 }
          return count == nil && !upstream.isClosed
        }
        if !isLast { return }
        if let connection { self?.release(connection) }
        upstream.dispose()
      })
    _ = connection.core.connect(sink, scope)
    if isFirst { connect(connection) }
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
      if current.add() { return (current, current === fresh) }
      release(current)
    }
  }

  /// Subscribes to the source.
  ///
  /// Disposes the subscription to the source before the subscribers get the terminal event, because they may connect again at that event.
  /// If the source sends its terminal event while this subscribes, the subscribers get the event when `connect` has returned: only then has
  /// the source disposed all that it holds.
  @inlinable
  func connect(_ connection: SharedConnection<Element>) {
    guard let upstream = connection.scope.child() else { return }
    let ending = Guarded(CallStatus<Event<Element>>.inside, in: upstream)
    source.connect(
      { [weak self] event in
        if !event.isTerminal {
          connection.core.on(event)
          return upstream.isOpen ? .more : .noMore
        }
        upstream.dispose()
        if ending.withLock({ $0.end(with: event) }) { connection.end(with: event) { self?.release(connection) } }
        return .noMore
      }, in: upstream)
    guard let terminal = ending.withLock({ $0.hasReturned() }) else { return }
    connection.end(with: terminal) { release(connection) }
  }

  @inlinable
  func release(_ connection: SharedConnection<Element>) {
    var released: SharedConnection<Element>?
    self.connection.withLock { current in
      if current === connection { swap(&released, &current) }
    }
  }
}
