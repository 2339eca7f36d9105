import RxViewModel

/// A scheduler whose time passes only when your test advances it.
///
///     let scheduler = TestScheduler()
///     let viewModel = SearchViewModel(scheduler: scheduler)
///     let states = viewModel.stateObservable.test(scheduler)
///     viewModel.execute(.search("swift"))
///     scheduler.advance(by: .milliseconds(300))
///     #expect(states.lastValue?.results == ["swift"])
///
/// **Threads.** Work runs on the thread that calls ``advance(by:limit:)`` or ``run(limit:)``. You can schedule and dispose work from any
/// thread, also inside work.
///
/// **Order.** Work runs in the order of time and, at the same instant, in the order of scheduling. If a piece of work advances the time
/// itself, the work that is due by then runs before that piece continues. The time never goes back.
///
/// **Tasks.** If an `Observable.task` or `Observable.values(of:)` is subscribed while the scheduler runs work, its task runs on the
/// scheduler, and so do its child tasks and the default actors that it calls. Code on the main actor, on actors with executors of their
/// own, and in `Task {}` or `Task.detached` runs elsewhere. Sleeps on ``clock`` take virtual time. On Apple platforms all this needs macOS
/// 15, iOS 18, tvOS 18 or watchOS 11; on older systems such a task runs in real time.
///
/// **Lifetime.** Keep the scheduler in your test, because work that waits on it doesn't keep it alive. When the scheduler is released, it
/// drops the waiting work, ends the sleeps with a `CancellationError`, and leaves the jobs of tasks to a global queue.
public final class TestScheduler: Scheduler {
  let time = VirtualTime()

  /// Makes a scheduler at time zero, without work.
  public init() {
    time.scheduler = self
  }

  deinit {
    time.close()
  }

  /// The virtual time since the scheduler was made. You can read it from any thread.
  public var now: Duration {
    time.now
  }

  /// The number of waiting pieces of work: scheduled work, jobs of tasks and sleeps. Disposed work does not count.
  public var pendingCount: Int {
    time.pendingCount
  }

  /// Schedules work that is due now. It doesn't run before your test advances the time.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    time.schedule(work)
  }

  /// Schedules work that is due when `delay` has passed. A delay below zero counts as zero.
  ///
  /// Disposing the result drops the work immediately, and releases its closure. Both cost O(log n), and O(n) if other work is due later.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    time.schedule(after: delay, work)
  }

  /// Advances the time, and runs all work that is due up to and including the new time, also work that is scheduled meanwhile.
  ///
  /// Without a duration it runs the work that is due now. If work schedules itself again and again without a delay, this traps with a
  /// message, in release builds too.
  ///
  /// - Parameters:
  ///   - duration: The time to pass. A duration below zero counts as zero.
  ///   - limit: The number of pieces of work at one instant after which this traps, if more is due then.
  public func advance(by duration: Duration = .zero, limit: Int = 1_000_000) {
    time.advance(by: duration, limit: limit)
  }

  /// Runs `body` as work of the scheduler, then the work that is due now, and returns the result of `body`.
  ///
  ///     scheduler.run { taps.onNext(()) }
  ///
  /// Use it for events that your test sends itself: tasks that they start run on the scheduler, in virtual time. Without this call, an
  /// `Observable.task` that such an event subscribes to runs on a real thread. If `body` throws, no further work runs. No time passes.
  @discardableResult
  public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    let result = try time.atWork(body)
    time.advance(by: .zero)
    return result
  }

  /// Runs work until nothing is left; ``now`` is then the time of the last piece of work.
  ///
  /// If the work never ends, for example because your test hasn't disposed an interval, this traps with a message that names the limit, in
  /// release builds too.
  ///
  /// - Parameter limit: The number of pieces of work after which this traps, if more is left.
  public func run(limit: Int = 1_000_000) {
    time.atWork {
      for _ in 0..<max(limit, 0) {
        guard time.runNext() else { return }
      }
      if time.pendingCount == 0 { return }
      fatalError(
        """
        TestScheduler.run: not done after \(limit) pieces of work, at \(now): \
        is an interval still running? Dispose it, or use advance(by:).
        """)
    }
  }
}

extension TestScheduler: OwningScheduler {
  package var reference: any Scheduler { time }
}
