import Dispatch

extension DispatchQueue {
  /// The target queue of the view models' queues. Stored, because each call of `global()` allocates.
  @usableFromInline static let shared = DispatchQueue.global()
}

/// Makes a dispatch queue a scheduler: `schedule` enqueues the work and returns.
///
/// A serial queue runs work in the order of scheduling. A concurrent queue may run several pieces of work at the same
/// time.
extension DispatchQueue: Scheduler {
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    async(execute: work)
  }

  /// Runs `work` once `delay` has passed.
  ///
  /// Disposing the result drops the work at once, and releases everything that the timer retains. With n timers on all queues, scheduling
  /// and disposing cost O(log n).
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    QueueTimers.shared.schedule(at: .now() + delay.dispatchInterval(countedIn: Int.self), on: self, work)
  }
}
