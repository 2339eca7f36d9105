/// Holds disposables and disposes them together: at ``dispose()`` and when the bag itself goes away.
///
/// Give each screen or view model a bag, and its subscriptions end with it. May be used from any thread.
public final class DisposeBag: Sendable {
  private let disposables = Lock<[any Disposable]>([])
  /// An empty bag.

  public init() {}

  /// Holds `disposable` until ``dispose()`` or the end of the bag.
  public func insert(_ disposable: any Disposable) {
    disposables.withLock { $0.append(disposable) }
  }

  /// Disposes what the bag holds, in the order of insertion. The bag is empty then and can be used again.
  public func dispose() {
    var held: [any Disposable] = []
    disposables.withLock { swap(&held, &$0) }
    for disposable in held { disposable.dispose() }
  }

  deinit {
    dispose()
  }
}
