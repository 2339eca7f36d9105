extension Observable where Element == Int {
  /// Sends 0 after `delay`, then 1, 2 and so on without end, one number after each `period`.
  ///
  ///     timer(after: 1–, every: 3–)  -0--1--2--3-
  ///
  /// Sends the numbers on `scheduler`. The number n is due `delay + n × period` after the subscription. A number that is late, because the
  /// scheduler or the subscriber is slow, does not delay the numbers after it; if it is late by more than a period, the next one follows at
  /// once. The timer skips no number. The stream never ends by itself; disposing stops the timer.
  ///
  /// On a scheduler other than a `DispatchQueue`, ``MainScheduler`` or ``ImmediateScheduler``, the library cannot read the time: there each
  /// period begins when the scheduler runs the previous number.
  ///
  /// A `delay` below zero counts as zero. A `period` of zero or less is a programming mistake and is trapped.
  public static func timer(after delay: Duration, every period: Duration, scheduler: any Scheduler) -> Observable<Int> {
    require(period > .zero, "timer: period must be greater than zero")
    let scheduler = scheduler.reference
    return RepeatingTimer.stream(
      after: max(delay, .zero), every: period, on: scheduler, start: { (scheduler as? any UptimeScheduler)?.uptime })
  }
}

extension Observable {
  /// Sends 0 after `delay`, then 1, 2 and so on without end, at the head of a chain that continues with another element type.
  ///
  ///     timer(after: 1–, every: 3–)  -0--1--2--3-
  ///
  /// Where an `Observable<Price>` is expected, `.timer(after: .zero, every: .seconds(1), scheduler: scheduler).map { Price($0) }` calls
  /// this form. Behaves like the form of `Observable<Int>`.
  @_disfavoredOverload
  public static func timer(after delay: Duration, every period: Duration, scheduler: any Scheduler) -> Observable<Int> {
    .timer(after: delay, every: period, scheduler: scheduler)
  }
}

/// One subscription to `interval` or `timer(after:every:scheduler:)`.
@usableFromInline
struct RepeatingTimer: Sendable {
  private let delay: Duration
  private let period: Duration
  private let scheduler: any Scheduler
  private let serial: Serial<Void>
  /// The time of the subscription. Nil if each period begins at the previous tick.
  private let start: Duration?

  /// - Parameter start: Reads the time of a subscription. Without it, each period begins at the previous tick.
  @usableFromInline
  static func stream(
    after delay: Duration, every period: Duration, on scheduler: any Scheduler, start: (@Sendable () -> Duration?)?
  ) -> Observable<Int> {
    Observable { sink, scope in
      let number = SubscriptionState(0)
      // The handler counts, because on a concurrent scheduler a tick may overtake the previous one.
      let serial = Serial<Void>(in: scope) {
        defer { number.value += 1 }
        return sink(.next(number.value))
      }
      RepeatingTimer(delay: delay, period: period, scheduler: scheduler, serial: serial, start: start?()).schedule(0)
    }
  }

  /// Schedules a tick, which schedules the next tick before it sends its number.
  private func schedule(_ number: Int) {
    serial.scope.schedule(after: delay(before: number), on: scheduler) {
      schedule(number + 1)
      _ = serial.send(())
    }
  }

  private func delay(before number: Int) -> Duration {
    if number == 0 { return delay }
    guard let start, let now = (scheduler as? any UptimeScheduler)?.uptime else { return period }
    // Never zero: an immediate scheduler would run the tick inside the previous one.
    return max(start + delay + period * number - now, .nanoseconds(1))
  }
}
