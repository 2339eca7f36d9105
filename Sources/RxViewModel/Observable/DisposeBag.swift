/// Disposes everything you put into it, at ``dispose()`` or at its `deinit`.
///
/// Give each screen or view model a bag, so that its subscriptions end with it. Bags nest: `inner.disposed(by: outer)`. You can use a bag
/// from any thread. A disposable that has ended by itself stays in the bag, but no longer retains what its subscription captured. If one
/// subscription replaces another, use a ``SerialDisposable`` instead.
public final class DisposeBag: Disposable {
  private struct State {
    var disposables = Bag<any Disposable>()
    var isClosed = false
  }

  private let state = Lock(State())

  /// Creates an empty bag.
  public init() {}

  /// See ``Disposable/disposed(by:)``.
  @usableFromInline
  package func insert(_ disposable: any Disposable) {
    if ifOpen({ $0.insert(disposable) }) == nil { disposable.dispose() }
  }

  /// Disposes the contents of the bag, in the order of insertion, on the calling thread. Afterwards the bag is empty, and you can use it
  /// again.
  public func dispose() { dispose(closes: false) }

  /// Disposes the contents of the bag. From now on the bag disposes each inserted disposable immediately.
  @usableFromInline
  func close() { dispose(closes: true) }

  private func dispose(closes: Bool) {
    let values = state.withLock { state in
      if closes { state.isClosed = true }
      return state.disposables.removeAll()
    }
    for disposable in values { disposable?.dispose() }
  }

  /// Calls `body` under the lock, so it runs no user code. Returns nil if the bag is closed.
  func ifOpen<Result>(_ body: (inout Bag<any Disposable>) -> Result) -> Result? {
    state.withLock { $0.isClosed ? nil : body(&$0.disposables) }
  }

  deinit { dispose() }
}
