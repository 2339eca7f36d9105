import Dispatch

/// Runs work at once, on the calling thread, before `schedule` returns; with a delay, on a global queue once it has
/// passed.
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
