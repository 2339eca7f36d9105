/// One connection of a `share` to its source.
///
/// The source's sink retains it, and so does the `share` while it has subscribers. A subscriber's disposable retains only the members, so
/// it keeps no other subscriber alive.
@usableFromInline
final class SharedConnection<Element: Sendable>: Sendable {
  @usableFromInline let core: SubjectCore<Element>
  @usableFromInline let members = SharedMembers()

  @inlinable
  init(bufferSize: Int) {
    core = SubjectCore(ReplayBuffer(size: bufferSize), replaysAfterEnd: true)
  }

  @inlinable
  deinit {
    core.releaseAll()
  }

  /// Sends the terminal event when no further subscriber can join.
  @inlinable
  func end(with terminal: Event<Element>, _ willEnd: () -> Void) {
    members.scope.dispose()
    willEnd()
    core.on(terminal)
  }
}

/// The number of subscribers of a connection, and the scope of its subscription to the source.
@usableFromInline
final class SharedMembers: @unchecked Sendable {  // Sendable: the lock of the scope guards the count.
  @usableFromInline let scope = Scope()
  /// Nil once the last subscriber has left.
  private var count: Int? = 0

  /// Returns false if the connection has ended.
  @usableFromInline
  func add() -> Bool {
    scope.lock.withLock { _ in
      guard let count, !scope.isClosed else { return false }
      self.count = count + 1
      return true
    }
  }

  /// Returns true if it was the last subscriber of an open connection.
  func remove() -> Bool {
    scope.lock.withLock { _ in
      count = count.flatMap { $0 == 1 ? nil : $0 - 1 }
      return count == nil && !scope.isClosed
    }
  }
}

/// A subscriber's membership in a connection. When the last one ends, so does the subscription to the source.
@usableFromInline
final class SharedMembership: Disposable {
  private let members: SharedMembers
  private let willDisconnect: @Sendable () -> Void

  /// - Parameter willDisconnect: Runs before the membership disposes the subscription to the source.
  @usableFromInline
  init(_ members: SharedMembers, willDisconnect: @escaping @Sendable () -> Void) {
    self.members = members
    self.willDisconnect = willDisconnect
  }

  /// Called once, by the scope of the subscriber.
  @usableFromInline
  func dispose() {
    if !members.remove() { return }
    willDisconnect()
    members.scope.dispose()
  }
}
