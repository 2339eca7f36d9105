/// One connection of a `share` to its source.
///
/// The source's sink retains it, and so does the `share` while it has subscribers. A subscriber's disposable retains only the scope and the
/// count, so it keeps no other subscriber alive.
@usableFromInline
final class SharedConnection<Element: Sendable>: Sendable {
  @usableFromInline let core: SubjectCore<Element>
  /// The scope of the subscription to the source.
  @usableFromInline let scope = Scope()
  /// The number of subscribers. Nil once the last one has left.
  @usableFromInline let count: Guarded<Int?>

  @inlinable
  init(bufferSize: Int) {
    core = SubjectCore(ReplayBuffer(size: bufferSize), replaysAfterEnd: true)
    count = Guarded(0, in: scope)
  }

  @inlinable
  deinit {
    core.releaseAll()
  }

  /// Counts a subscriber. Returns false if the connection has ended.
  @inlinable
  func add() -> Bool {
    count.withLock { count in
      if scope.isClosed { return false }
      count = count.map { $0 + 1 }
      return count != nil
    }
  }

  /// Sends the terminal event when no further subscriber can join.
  @inlinable
  func end(with terminal: Event<Element>, _ willEnd: () -> Void) {
    scope.dispose()
    willEnd()
    core.on(terminal)
  }
}
