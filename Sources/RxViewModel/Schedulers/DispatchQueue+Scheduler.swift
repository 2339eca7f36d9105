import Dispatch

/// A serial queue runs work in the order of scheduling; a concurrent one may run pieces of work at the same time.
extension DispatchQueue: Scheduler {
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    async(execute: work)
  }

  /// Runs `work` once `delay` has passed. Disposing the result drops the work, with all that the timer takes, at once.
  ///
  /// O(log n) for n timers of all queues, to schedule and to dispose.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    QueueTimers.shared.schedule(at: .now() + delay.dispatchInterval(countedIn: Int.self), on: self, work)
  }
}
