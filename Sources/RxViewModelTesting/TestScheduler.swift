import RxViewModel

/// A scheduler whose time passes when the test says so.
///
///     let scheduler = TestScheduler()
///     let viewModel = SearchViewModel(scheduler: scheduler)
///     let states = viewModel.stateObservable.test(scheduler)
///     viewModel.execute(.search("swift"))
///     scheduler.advance(by: .milliseconds(300))
///     #expect(states.lastValue?.results == ["swift"])
///
/// **Threads.** Work runs on the thread that calls ``advance(by:)`` or ``run(limit:)``. Work may be scheduled and
/// disposed from any thread, also from inside work.
///
/// **Order.** Work runs by time, and at the same instant in the order in which it was scheduled. Work that advances the
/// time itself runs what is due by then before it goes on; the time never goes back.
///
/// **Tasks.** A task of `Observable.task` or `Observable.values(of:)` that is subscribed while the scheduler is at work
/// runs on it, with all that it calls outside the main actor and actors with executors of their own. Sleeps on
/// ``clock`` take virtual time.
///
/// **Lifetime.** The test holds the scheduler; nothing that waits on it does. When it is released it drops the work
/// that waits, ends the sleeps with a `CancellationError`, and leaves the jobs of tasks to a global queue.
public final class TestScheduler: Scheduler {
  let time = VirtualTime()

  /// A scheduler at time zero with nothing to do.
  public init() {
    time.scheduler = self
  }

  deinit {
    time.close()
  }

  /// The virtual time, since the scheduler was made. May be read from any thread.
  public var now: Duration {
    time.now
  }

  /// How many pieces of work wait: scheduled work, jobs of tasks and sleeps. Work that was disposed is not counted.
  public var pendingCount: Int {
    time.pendingCount
  }

  /// Schedules work that is due now. It does not run before the test advances the time. O(log n).
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    time.schedule(work)
  }

  /// Schedules work that is due when `delay` has passed; a delay below zero counts as zero. O(log n).
  ///
  /// Disposing the result drops the work, with what it holds, at once. O(log n).
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    time.schedule(after: delay, work)
  }

  /// Lets time pass and runs all work that is due up to and at the new time, also what is scheduled meanwhile.
  ///
  /// Without a duration it runs what is due now.
  public func advance(by duration: Duration = .zero) {
    time.advance(by: duration)
  }

  /// Runs work until nothing is left; ``now`` is then the time of the last.
  ///
  /// Work that goes on for ever, such as an interval that nobody has disposed, is a mistake in the test. It is trapped,
  /// in release builds too, with a sentence that says so.
  ///
  /// - Parameter limit: after how many pieces of work that is, if more is left.
  public func run(limit: Int = 1_000_000) {
    time.atWork {
      for _ in 0..<max(limit, 0) {
        guard time.runNext() else { return }
      }
      if time.pendingCount == 0 { return }
      fatalError(
        """
        TestScheduler.run: no end after \(limit) pieces of work, at \(now): \
        is there an interval that nobody has disposed? Dispose it, or use advance(by:).
        """)
    }
  }
}

extension TestScheduler: OwningScheduler {
  package var reference: any Scheduler { time }
}
