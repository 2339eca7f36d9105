/// Holds one disposable at a time and disposes it when another takes its place.
public final class SerialDisposable: Disposable {
  private struct State {
    var current: (any Disposable)?
    var isDisposed = false
  }

  private let state = Lock(State())
  /// A disposable that holds nothing yet.

  public init() {}

  /// Disposes what was held and holds `disposable` from now on; once this has been disposed, disposes `disposable` too.
  ///
  /// May be called from any thread; the one whose turn comes last is held.
  public func replace(with disposable: any Disposable) {
    let displaced = state.withLock { state -> (any Disposable)? in
      if state.isDisposed { return disposable }
      let displaced = state.current
      state.current = disposable
      return displaced
    }
    displaced?.dispose()
  }

  public func dispose() {
    let last = state.withLock { state -> (any Disposable)? in
      state.isDisposed = true
      return state.current.take()
    }
    last?.dispose()
  }
}
