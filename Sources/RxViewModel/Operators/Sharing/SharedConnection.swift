/// One connection of a `share` to its source.
///
/// The source's sink holds it, and so does the `share` while it has subscribers. A subscriber's disposable holds the upstream
/// only: it can end that, but keeps no other subscriber alive.
@usableFromInline
final class SharedConnection<Element: Sendable>: Sendable {
  @usableFromInline let core: SubjectCore<Element>
  @usableFromInline let upstream = SharedUpstream()

  @inlinable
  init(bufferSize: Int) {
    core = SubjectCore(bufferSize: bufferSize, replaysAfterEnd: true)
  }

  @inlinable
  deinit {
    core.empty()
  }
}

/// The subscription to the source, and how many subscribers want it.
@usableFromInline
final class SharedUpstream: Sendable {
  private struct State {
    var subscribers = 0
    var isClosed = false
  }

  private let state = Lock(State())
  @usableFromInline let subscription = Subscriptions()

  /// False if the connection is over.
  @usableFromInline
  func join() -> Bool {
    state.withLock { state in
      if !state.isClosed { state.subscribers += 1 }
      return !state.isClosed
    }
  }

  /// True if it was the last one, and the connection is over by that.
  @usableFromInline
  func leave() -> Bool {
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
