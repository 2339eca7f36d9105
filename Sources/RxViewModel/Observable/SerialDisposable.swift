/// Holds one disposable at a time and disposes it when another takes its place.
public final class SerialDisposable: Disposable {
  private struct State {
    var current: (any Disposable)?
    var isDisposed = false
  }

  private let state = Lock(State())

  /// Makes a disposable that holds nothing yet.
  public init() {}

  /// Holds `disposable`, and disposes the one held before.
  ///
  /// Disposes `disposable` at once if this has been disposed. May be called from any thread; of two calls at the same
  /// time, the later one wins.
  public func replace(with disposable: any Disposable) {
    let displaced = state.withLock { state -> (any Disposable)? in
      if state.isDisposed { return disposable }
      let displaced = state.current
      state.current = disposable
      return displaced
    }
    displaced?.dispose()
  }

  /// Disposes what is held, and from then on each disposable that is passed to ``replace(with:)``.
  public func dispose() {
    let last = state.withLock { state -> (any Disposable)? in
      state.isDisposed = true
      return state.current.take()
    }
    last?.dispose()
  }
}
