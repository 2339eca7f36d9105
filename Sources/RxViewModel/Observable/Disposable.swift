/// Something that you can end: a subscription, a timer, a task.
///
/// Releasing a disposable doesn't dispose it. To tie it to an owner, put it into a ``DisposeBag``, which disposes its contents at its
/// `deinit`.
public protocol Disposable: AnyObject, Sendable {
  /// Ends the resource. You can call it from any thread, more than once, and inside the callback that it cuts off.
  ///
  /// Once `dispose()` has returned on the thread that delivers the events, your callback isn't called again. `dispose()` never waits for a
  /// callback that is running on another thread.
  func dispose()
}

extension Disposable {
  /// Adds this disposable to `bag`, which disposes it at ``DisposeBag/dispose()`` or at its `deinit`.
  ///
  /// If `bag` is the scope of an `onResume(_:)` and the resume has ended, this disposes immediately.
  @inlinable
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

/// Makes disposables.
public enum Disposables {
  @usableFromInline static let nothing = Nothing()

  /// A disposable that runs `action` at its first `dispose()`, on the thread that calls it, and then releases the closure.
  public static func create(_ action: @escaping @Sendable () -> Void) -> any Disposable { ActionDisposable(action) }

  /// A disposable that disposes all of `disposables`, in their order, and then releases them. Without an argument it does nothing.
  ///
  /// To collect disposables one by one, use a ``DisposeBag`` instead: disposables nested in each other take stack when they are disposed.
  public static func create(_ disposables: any Disposable...) -> any Disposable {
    disposables.isEmpty ? nothing : ActionDisposable { for disposable in disposables { disposable.dispose() } }
  }
}

@usableFromInline
final class Nothing: Disposable {
  @usableFromInline
  func dispose() {}
}

final class ActionDisposable: Disposable {
  private let action: Lock<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) { self.action = Lock(action) }

  func dispose() { action.withLock { $0.take() }?() }
}
