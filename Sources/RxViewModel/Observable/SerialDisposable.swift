/// Holds one disposable at a time. A new one disposes the one before it.
public final class SerialDisposable: Disposable {
  private let state = Lock((current: (any Disposable)?.none, isDisposed: false))

  /// Creates an empty serial disposable.
  public init() {}

  /// Stores `disposable`, and disposes the previous one.
  ///
  /// Disposes `disposable` immediately if this object has been disposed. You can call it from any thread. Of two concurrent calls, the
  /// disposable of the later one stays.
  public func replace(with disposable: any Disposable) {
    let displaced = state.withLock { state -> (any Disposable)? in
      if state.isDisposed { return disposable }
      let displaced = state.current
      state.current = disposable
      return displaced
    }
    displaced?.dispose()
  }

  /// Disposes the current disposable, and from then on each disposable that is passed to ``replace(with:)``. Idempotent.
  public func dispose() {
    let last = state.withLock { state -> (any Disposable)? in
      state.isDisposed = true
      return state.current.take()
    }
    last?.dispose()
  }
}
