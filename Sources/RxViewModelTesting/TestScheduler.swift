import RxViewModel

/// A scheduler whose time passes only when the test advances it.
///
///     let scheduler = TestScheduler()
///     let viewModel = SearchViewModel(scheduler: scheduler)
///     let states = viewModel.stateObservable.test(scheduler)
///     viewModel.execute(.search("swift"))
///     scheduler.advance(by: .milliseconds(300))
///     #expect(states.lastValue?.results == ["swift"])
///
/// **Threads.** Work runs on the thread that calls ``advance(by:limit:)`` or ``run(limit:)``. Work may be scheduled and
/// disposed from any thread, also from inside work.
///
/// **Order.** Work runs in the order of time and, at the same instant, in the order of scheduling. If a piece of work
/// advances the time itself, the work that is due by then runs before that piece continues. The time never goes back.
///
/// **Tasks.** If an `Observable.task` or `Observable.values(of:)` is subscribed while the scheduler runs work, its task runs on the
/// scheduler, and so do its child tasks and the default actors that it calls. Code on the main actor, on actors with executors of their
/// own, and in `Task {}` or `Task.detached` runs elsewhere. Sleeps on ``clock`` take virtual time. On Apple platforms all this
/// requires macOS 15, iOS 18, tvOS 18 or watchOS 11; on older systems such a task runs in real time.
///
/// **Lifetime.** The test keeps the scheduler alive; work that waits on it does not. When the scheduler is released, it
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

  /// The virtual time since the scheduler was made. May be read from any thread.
  public var now: Duration {
    time.now
  }

  /// The number of waiting pieces of work: scheduled work, jobs of tasks and sleeps. Disposed work does not count.
  public var pendingCount: Int {
    time.pendingCount
  }

  /// Schedules work that is due now. It does not run before the test advances the time.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    time.schedule(work)
  }

  /// Schedules work that is due when `delay` has passed. A delay below zero counts as zero.
  ///
  /// Disposing the result drops the work at once, and releases its closure. Both cost O(log n), and O(n) if other work is due later.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    time.schedule(after: delay, work)
  }

  /// Advances the time, and runs all work that is due up to and at the new time, including work that is scheduled
  /// meanwhile.
  ///
  /// Without a duration it runs the work that is due now. Work that schedules itself again without a delay never ends. This traps with a
  /// message then, in release builds too.
  ///
  /// - Parameters:
  ///   - duration: The time to pass. A duration below zero counts as zero.
  ///   - limit: The number of pieces of work at one instant after which the work counts as endless, if more is due then.
  public func advance(by duration: Duration = .zero, limit: Int = 1_000_000) {
    time.advance(by: duration, limit: limit)
  }

  /// Runs `body` as work of the scheduler, and then the work that is due now. Returns the result of `body`.
  ///
  ///     scheduler.run { taps.onNext(()) }
  ///
  /// The tasks that `body` causes run on the scheduler, in virtual time. Without this call, an `Observable.task` that a test's own event
  /// subscribes to runs on a real thread. If `body` throws, no further work runs. The time stays what it is.
  @discardableResult
  public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    let result = try time.atWork(body)
    time.advance(by: .zero)
    return result
  }

  /// Runs work until nothing is left; ``now`` is then the time of the last piece of work.
  ///
  /// Work that never ends, such as an interval that the test has not disposed, is a mistake in the test. This traps with a message that
  /// names the limit, in release builds too.
  ///
  /// - Parameter limit: The number of pieces of work after which the work counts as endless, if more is left.
  public func run(limit: Int = 1_000_000) {
    time.atWork {
      for _ in 0..<max(limit, 0) {
        guard time.runNext() else { return }
      }
      if time.pendingCount == 0 { return }
      fatalError(
        """
        TestScheduler.run: no end after \(limit) pieces of work, at \(now): \
        is there an interval that no code has disposed? Dispose it, or use advance(by:).
        """)
    }
  }
}

extension TestScheduler: OwningScheduler {
  package var reference: any Scheduler { time }
}
