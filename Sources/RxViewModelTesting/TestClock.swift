import RxViewModel

/// A clock whose time passes only when your test advances it: the ``TestScheduler/clock`` of a scheduler.
///
/// Pass it to a service that takes `any Clock<Duration>`. In the app, pass `ContinuousClock()` to the same service:
///
///     try await clock.sleep(for: .milliseconds(800))
///
/// A sleep ends when your test has advanced to its deadline. Sleeps with the same deadline end in the order in which they began. A
/// cancelled sleep throws immediately. When the scheduler is released, the clock stops, and a sleep on it throws a `CancellationError`.
public struct TestClock: Clock, Sendable {
  public typealias Duration = Swift.Duration

  /// A point in virtual time.
  public struct Instant: InstantProtocol {
    /// The time since the scheduler was made.
    public let offset: Duration

    /// Makes the point in virtual time at which ``TestScheduler/now`` is `offset`.
    public init(offset: Duration) {
      self.offset = offset
    }

    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  let time: VirtualTime

  public var now: Instant {
    Instant(offset: time.now)
  }

  public var minimumResolution: Duration {
    .zero
  }

  /// Returns when your test has advanced to `deadline`, or immediately if it already has. Ignores the tolerance. Throws a
  /// `CancellationError` if the task is cancelled or the scheduler has been released.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    if deadline <= now { return }
    let endWaiting = EffectTasks.current?.beginWaiting(for: nil)
    defer { endWaiting?() }
    let sleep = Lock((work: VirtualWork?.none, isCancelled: false))
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          // Its time, its cancellation and the release of the scheduler take the work out of the agenda. The first resumes the task.
          let work = time.schedule(
            at: deadline.offset,
            VirtualWork.Body(
              run: { continuation.resume() }, onDrop: { continuation.resume(throwing: CancellationError()) }))
          let isCancelled = sleep.withLock { sleep in
            sleep.work = work
            return sleep.isCancelled
          }
          if isCancelled { work?.drop() }
        }
      } onCancel: {
        let work = sleep.withLock { sleep in
          sleep.isCancelled = true
          return sleep.work
        }
        work?.drop()
      }
    } catch {
      // Cancels the task, so that a loop that sleeps until its cancellation ends, instead of spinning.
      if time.isEnding { withUnsafeCurrentTask { $0?.cancel() } }
      throw error
    }
  }
}

extension TestScheduler {
  /// The virtual time as a clock, for code that sleeps. The clock doesn't keep the scheduler alive.
  public var clock: TestClock {
    TestClock(time: time)
  }
}
