import Dispatch

/// Runs work on the main actor: at once if it is called there and nothing waits, otherwise as soon as the main actor is free, in order.
///
/// On a view model with this scheduler, an action that is executed on the main actor is done when `execute` returns, as far as its
/// effect is synchronous. Each piece of work that waits is one of the main queue's own: timers and events come between. Copies share
/// their order; two that were made by `init()` do not wait for each other.
public struct MainScheduler: Scheduler {
  private struct State {
    /// How many pieces of work wait on the main queue.
    var waiting = 0
    /// How many pieces of work are being run, one inside the other.
    var depth = 0
    /// How much more work that would yield may be done at once, in the piece of work that is being run.
    var allowance = Self.fullAllowance

    static let fullAllowance = 1_024
  }

  private let state = Lock(State())

  /// A scheduler for which nothing waits.
  public init() {}

  public func schedule(_ work: @escaping @Sendable () -> Void) {
    if MainQueue.isCurrent, state.withLock({ $0.waiting == 0 }) { return run(work) }
    enqueue(work)
  }

  /// Runs `work` once `delay` has passed, never at once. Disposing the result drops the work.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    DispatchQueue.main.schedule(after: delay, work)
  }

  /// This scheduler for the next turn of a view model that is taking one.
  ///
  /// The turn runs at once, so that all is done when `execute` returns, until the turns have taken as many inputs as one of them may
  /// (contract 1.10). Then it waits on the main queue.
  func yielding(for inputs: Int) -> any Scheduler {
    let mayGoOn = state.withLock { state -> Bool in
      state.allowance -= min(inputs, State.fullAllowance)
      return state.allowance >= 0
    }
    return mayGoOn ? self : Waiting(scheduler: self)
  }

  private func run(_ work: () -> Void) {
    state.withLock { $0.depth += 1 }
    work()
    state.withLock { state in
      state.depth -= 1
      if state.depth == 0 { state.allowance = State.fullAllowance }
    }
  }

  private func enqueue(_ work: @escaping @Sendable () -> Void) {
    // Counted before it is in the queue: no work of the main actor's overtakes it from here on.
    state.withLock { $0.waiting += 1 }
    DispatchQueue.main.async {
      state.withLock { $0.waiting -= 1 }
      run(work)
    }
  }

  private struct Waiting: Scheduler {
    let scheduler: MainScheduler

    func schedule(_ work: @escaping @Sendable () -> Void) {
      scheduler.enqueue(work)
    }

    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
      scheduler.schedule(after: delay, work)
    }
  }
}
