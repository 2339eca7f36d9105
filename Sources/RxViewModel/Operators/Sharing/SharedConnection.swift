/// One connection of a `share` to its source.
///
/// The source's sink retains it, and so does the `share` while it has subscribers. A subscriber's disposable retains only the upstream, so
/// it keeps no other subscriber alive.
@usableFromInline
final class SharedConnection<Element: Sendable>: Sendable {
  @usableFromInline let core: SubjectCore<Element>
  @usableFromInline let upstream = SharedUpstream()

  @inlinable
  init(bufferSize: Int) {
    core = SubjectCore(ReplayBuffer(size: bufferSize), replaysAfterEnd: true)
  }

  @inlinable
  deinit {
    core.releaseAll()
  }
}

/// Whether `connect` of the source has returned, and the terminal event that the source has sent before that.
@usableFromInline
struct SharedEnding<Element: Sendable> {
  @usableFromInline var isConnecting = true
  @usableFromInline var terminal: Event<Element>?

  @inlinable
  init() {}

  /// True if the thread that is subscribing to the source delivers the event.
  @inlinable
  mutating func isOverWhileConnecting(with event: Event<Element>) -> Bool {
    if isConnecting { terminal = event }
    return isConnecting
  }

  /// Returns the terminal event that the caller, which has subscribed to the source, must deliver now.
  @inlinable
  mutating func connected() -> Event<Element>? {
    isConnecting = false
    return terminal.take()
  }
}

/// The subscription to the source, and the number of its subscribers.
@usableFromInline
final class SharedUpstream: Sendable {
  private struct State {
    var subscribers = 0
    var isClosed = false
  }

  private let state = Lock(State())
  @usableFromInline let subscription = CompositeDisposable()

  /// False if the connection is closed.
  @usableFromInline
  func addSubscriber() -> Bool {
    state.withLock { state in
      if !state.isClosed { state.subscribers += 1 }
      return !state.isClosed
    }
  }

  /// True if it was the last subscriber, which closes the connection.
  @usableFromInline
  func removeSubscriber() -> Bool {
    state.withLock { state in
      state.subscribers -= 1
      if state.isClosed || state.subscribers > 0 { return false }
      state.isClosed = true
      return true
    }
  }

  @usableFromInline
  func close() {
    state.withLock { $0.isClosed = true }
  }
}

/// A subscriber's membership in a connection. When the last one ends, so does the subscription to the source.
@usableFromInline
final class SharedMembership: DisposableNode, @unchecked Sendable {  // Sendable: all are let, and the lock.
  private let upstream: SharedUpstream
  private let willDisconnect: @Sendable () -> Void
  private let hasLeft = Lock(false)

  /// - Parameter willDisconnect: Runs before the membership disposes the subscription to the source.
  @usableFromInline
  init(_ upstream: SharedUpstream, willDisconnect: @escaping @Sendable () -> Void) {
    self.upstream = upstream
    self.willDisconnect = willDisconnect
  }

  @usableFromInline
  override func detach(_ others: inout [any Disposable]) -> (any Disposable)? {
    let isFirstTime = hasLeft.withLock { hasLeft -> Bool in
      defer { hasLeft = true }
      return !hasLeft
    }
    guard isFirstTime, upstream.removeSubscriber() else { return nil }
    willDisconnect()
    return upstream.subscription
  }
}
