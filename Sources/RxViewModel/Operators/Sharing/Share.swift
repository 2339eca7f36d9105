extension ObservableType {
  /// Shares one subscription to the source among all subscribers.
  ///
  ///     source            --1--2-----3--|
  ///     share()           --1--2-----3--|
  ///     share()                   ---3--|
  ///     share(replay: 1)  --1--2-----3--|
  ///     share(replay: 1)          2--3--|
  ///
  /// The first subscriber connects: `share` subscribes to the source on that subscriber's thread. The connection ends when the last
  /// subscriber leaves or the source ends, and the next subscriber makes a new one with an empty buffer. A subscriber first gets the last
  /// `replay` elements of the connection on its own thread, then each later element exactly once (contract 1.5).
  ///
  /// If you subscribe again inside a terminal callback, you join the new connection. Traps if `replay` is negative.
  @inlinable
  public func share(replay: Int = 0) -> Observable<Element> {
    require(replay, atLeast: 0, "share: replay")
    let shared = Shared(source: asObservable(), bufferSize: replay)
    // No template: many subscribers share one subscription.
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
  init(source: Observable<Element>, bufferSize: Int) { (self.source, self.bufferSize) = (source, bufferSize) }

  @inlinable
  func connect(_ sink: Sink<Element>, in scope: Scope) {
    let (connection, isFirst) = join()
    let (count, upstream) = (connection.count, connection.scope)
    scope.add(
      Disposables.create { [weak self, weak connection] in
        let isLast = count.withLock { count in
          count -= 1
          return count == 0 && !upstream.isClosed
        }
        if !isLast { return }
        if let connection { self?.release(connection) }
        upstream.dispose()
      })
    _ = connection.core.connect(sink, scope)
    if isFirst { subscribe(connection) }
  }

  /// Joins the open connection, or makes a new one.
  @inlinable
  func join() -> (connection: SharedConnection<Element>, isFirst: Bool) {
    while true {
      let (joined, isFirst) = connection.withLock { current -> (SharedConnection<Element>, Bool) in
        if let current { return (current, false) }
        let made = SharedConnection<Element>(bufferSize: bufferSize)
        current = made
        return (made, true)
      }
      if isFirst || joined.add() { return (joined, isFirst) }
      release(joined)
    }
  }

  /// Subscribes to the source.
  ///
  /// The subscription to the source is over before the subscribers get the terminal event, because they may connect again at that event.
  /// If the source sends its terminal event while this subscribes, that is when the subscription has returned.
  @inlinable
  func subscribe(_ connection: SharedConnection<Element>) {
    let turns = Turns.turns(in: connection.scope)
    let sink = Sink<Element> { element in
      connection.core.send(element)
      return connection.scope.isOpen ? .more : .noMore
    } end: { [weak self] error in
      _ = turns.send { [weak self] in
        // The terminal event comes when no further subscriber can join.
        connection.scope.dispose()
        self?.release(connection)
        connection.core.end(error)
      }
    }
    _ = turns.send { [source] in connection.scope.connect(source, sink) }
  }

  @inlinable
  func release(_ connection: SharedConnection<Element>) {
    var released: SharedConnection<Element>?
    self.connection.withLock { current in
      if current === connection { swap(&released, &current) }
    }
  }
}

/// One connection of a `share` to its source.
///
/// The source's sink retains it, and so does the `share` while it has subscribers. A subscriber's disposable retains only the scope and the
/// count, so it keeps no other subscriber alive.
@usableFromInline
final class SharedConnection<Element: Sendable>: Sendable {
  @usableFromInline let core: SubjectCore<Element>
  /// The scope of the subscription to the source.
  @usableFromInline let scope = Scope()
  /// The number of subscribers, the one that has made it included.
  @usableFromInline let count: Guarded<Int>

  @inlinable
  init(bufferSize: Int) {
    core = SubjectCore(SubjectState(size: bufferSize, replaysAfterEnd: true))
    count = Guarded(1, in: scope)
  }

  @inlinable
  deinit { core.releaseAll() }

  /// Counts a subscriber. Returns false if the connection has ended, or if its last subscriber has left.
  @inlinable
  func add() -> Bool {
    count.withLock { count in
      if scope.isClosed || count == 0 { return false }
      count += 1
      return true
    }
  }
}
