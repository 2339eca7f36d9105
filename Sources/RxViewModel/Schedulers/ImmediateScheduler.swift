import Dispatch

/// Runs work immediately, on the calling thread, before `schedule` returns. Delayed work runs on a global queue; a delay of zero or less
/// counts as none.
public struct ImmediateScheduler: Scheduler {
  /// Makes a scheduler. All immediate schedulers are equal.
  public init() {}

  public func schedule(_ work: @escaping @Sendable () -> Void) {
    work()
  }

  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    if delay > .zero { return DispatchQueue.global().schedule(after: delay, work) }
    work()
    return Disposables.create()
  }
}
