import Dispatch

/// Runs work at once, on the calling thread, before `schedule` returns; with a delay, on a global queue once it has passed.
public struct ImmediateScheduler: Scheduler {
  /// All of them are alike.
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
