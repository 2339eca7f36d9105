import Dispatch

/// Runs work on the main actor: at once if it is called there and nothing waits, otherwise as soon as the main actor is free, in order.
///
/// On a view model with this scheduler, an action that is executed on the main actor is done when `execute` returns, as far as its
/// effect is synchronous. Each piece of work that waits is one of the main queue's own: timers and events come between.
public struct MainScheduler: Scheduler {
  /// How many pieces of work wait on the main queue.
  private static let waitingCount = Lock(0)

  /// All of them are alike.
  public init() {}

  public func schedule(_ work: @escaping @Sendable () -> Void) {
    if MainQueue.isCurrent, Self.waitingCount.withLock({ $0 == 0 }) { return work() }
    Self.enqueue(work)
  }

  /// Runs `work` once `delay` has passed, never at once. Disposing the result drops the work.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    DispatchQueue.main.schedule(after: delay, work)
  }

  /// The main actor, for work that must not run at once.
  @usableFromInline
  static var waiting: any Scheduler { Waiting() }

  private static func enqueue(_ work: @escaping @Sendable () -> Void) {
    // Counted before it is in the queue: no work of the main actor's overtakes it from here on.
    waitingCount.withLock { $0 += 1 }
    DispatchQueue.main.async {
      waitingCount.withLock { $0 -= 1 }
      work()
    }
  }

  private struct Waiting: Scheduler {
    func schedule(_ work: @escaping @Sendable () -> Void) {
      MainScheduler.enqueue(work)
    }

    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
      MainScheduler().schedule(after: delay, work)
    }
  }
}
