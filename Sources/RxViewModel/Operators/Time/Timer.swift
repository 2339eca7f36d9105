extension Observable where Element == Int {
  /// Sends 0 after `delay`, then completes.
  ///
  ///     timer(4–)  ----(0|)
  ///
  /// Sends both events on `scheduler`. Traps if `delay` is negative.
  @inlinable
  public static func timer(_ delay: Duration, scheduler: any Scheduler) -> Observable<Int> {
    require(delay, atLeast: .zero, "timer: delay")
    return timer(delay, on: SchedulerHandle(scheduler))
  }

  @inlinable
  static func timer(_ delay: Duration, on scheduler: SchedulerHandle) -> Observable<Int> {
    // No template: a source.
    Observable { sink, scope in
      scheduler.schedule(after: delay, in: scope) { _ = sink.finish(with: 0) }
    }
  }

  /// Sends 0 after `delay`, then 1, 2 and so on without end, one number after each `period`.
  ///
  ///     timer(after: 1–, every: 3–)  -0--1--2--3-
  ///
  /// Sends the numbers on `scheduler`, one at a time. The number n is due `delay + n × period` after the subscription. A number that is
  /// late, because the scheduler or the subscriber is slow, does not delay the numbers after it; if it is late by more than a period, the
  /// next one follows immediately. The timer skips no number. The stream never ends by itself; disposing stops the timer.
  ///
  /// On a scheduler other than a `DispatchQueue`, ``MainScheduler`` or ``ImmediateScheduler``, the library does not use
  /// ``Scheduler/now``: there each period begins when the previous number is sent.
  ///
  /// Traps if `delay` is negative, or if `period` is zero or less.
  public static func timer(after delay: Duration, every period: Duration, scheduler: any Scheduler) -> Observable<Int> {
    require(delay, atLeast: .zero, "timer: delay")
    require(period, atLeast: .nanoseconds(1), "timer: period")
    let scheduler = SchedulerHandle(scheduler)
    // No template: a source.
    return Observable { sink, scope in
      let (start, turns) = (scheduler.uptime, Turns.turns(in: scope))
      @Sendable func schedule(_ number: Int) {
        var wait = number == 0 ? delay : period
        if number > 0, let start, let now = scheduler.uptime {
          // Never zero: an immediate scheduler would run the tick inside the previous one.
          wait = max(start + delay + period * number - now, .nanoseconds(1))
        }
        scheduler.schedule(after: wait, in: scope) {
          // A number that waits for a slow subscriber schedules none after it, so at most one waits.
          _ = turns.send {
            schedule(number + 1)
            _ = sink.next(number)
          }
        }
      }
      schedule(0)
    }
  }

  /// Sends 0, 1, 2 and so on without end, one number after each `period`.
  ///
  ///     interval(2–)  --0-1-2-3-
  ///
  /// The same as `timer(after: period, every: period, scheduler: scheduler)`.
  public static func interval(_ period: Duration, scheduler: any Scheduler) -> Observable<Int> {
    require(period, atLeast: .nanoseconds(1), "interval: period")
    return timer(after: period, every: period, scheduler: scheduler)
  }
}
