import Dispatch

/// Runs work on the main actor: immediately if you're on it and no work waits, otherwise in order, as soon as it is free.
///
/// With this scheduler, `execute` on the main actor returns when the synchronous part of the action's effect is done. The action runs later
/// if its mode makes it wait, if other work of this scheduler waits, or if you call `execute` from inside the view model's own work. Each
/// waiting piece of work is a block of its own on the main queue, so timers and events run in between and the app stays responsive. Copies
/// of a scheduler share one order; two schedulers made by `init()` are independent. ``Scheduler/main`` is one for the whole app.
public struct MainScheduler: Scheduler {
  private struct State {
    /// The number of pieces of work that wait on the main queue.
    var waiting = 0
    /// The number of nested pieces of work that are running.
    var depth = 0
    /// How much the running piece of work may still do before its next turn waits on the main queue.
    var allowance = Self.fullAllowance

    static let fullAllowance = 1_024
  }

  fileprivate static let shared = MainScheduler()

  private let state = Lock(State())

  /// Makes a scheduler with an order of its own.
  public init() {}

  public func schedule(_ work: @escaping @Sendable () -> Void) {
    if MainQueue.isCurrent, state.withLock({ $0.waiting == 0 }) { return run(work) }
    enqueue(work)
  }

  /// Runs `work` once `delay` has passed, never immediately. Disposing the result drops the work.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    DispatchQueue.main.schedule(after: delay, work)
  }

  /// Returns the scheduler for the next turn of a view model that is in a turn now.
  ///
  /// The next turn runs immediately, so that all work is done when `execute` returns. After these turns have done as much as one turn may
  /// do (contract 1.10), the next turn waits on the main queue.
  ///
  /// - Parameter amount: The number of pieces of work that this turn has done.
  @usableFromInline
  func yielding(after amount: Int) -> any Scheduler {
    let mayGoOn = state.withLock { state -> Bool in
      state.allowance -= amount
      return state.allowance > 0
    }
    return mayGoOn ? self : waiting
  }

  /// This scheduler for work that waits on the main queue in any case.
  var waiting: any Scheduler { Waiting(scheduler: self) }

  private func run(_ work: () -> Void) {
    state.withLock { $0.depth += 1 }
    work()
    state.withLock { state in
      state.depth -= 1
      if state.depth == 0 { state.allowance = State.fullAllowance }
    }
  }

  private func enqueue(_ work: @escaping @Sendable () -> Void) {
    // Counted before it is enqueued, so that no later work on the main actor overtakes it.
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

extension Scheduler where Self == MainScheduler {
  /// The one ``MainScheduler`` that the whole app shares: `LoginViewModel(service: service, scheduler: .main)`.
  ///
  /// All view models on it share one order. So `execute` on the main actor runs the action later while another view model's work waits. If
  /// a view model must not wait for the others, give it a `MainScheduler()` of its own.
  public static var main: MainScheduler { .shared }
}
