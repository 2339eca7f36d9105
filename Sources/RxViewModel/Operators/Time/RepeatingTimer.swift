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
  @inlinable
  public static func timer(after delay: Duration, every period: Duration, scheduler: any Scheduler) -> Observable<Int> {
    require(period > .zero, "timer: period must be greater than zero")
    let scheduler = scheduler.reference
    return Observable { sink in
      let number = SubscriptionState(0)
      // The handler counts, because on a concurrent scheduler a tick may overtake the previous one.
      let serializer = EventSerializer<Void> {
        defer { number.value += 1 }
        return forward(.next(number.value), to: sink)
      }
      let subscriptions = CompositeDisposable(closing: serializer)
      RepeatingTimer(delay: delay, period: period, scheduler: scheduler, serializer: serializer)
        .schedule(0, subscriptions)
      return subscriptions
    }
  }
}

/// One subscription to `timer(after:every:scheduler:)`.
@usableFromInline
struct RepeatingTimer: Sendable {
  @usableFromInline let delay: Duration
  @usableFromInline let period: Duration
  @usableFromInline let scheduler: any Scheduler
  @usableFromInline let serializer: EventSerializer<Void>
  /// The time of the subscription. Nil if the library cannot read the scheduler's time.
  @usableFromInline let start: Duration?

  @usableFromInline
  init(delay: Duration, period: Duration, scheduler: any Scheduler, serializer: EventSerializer<Void>) {
    self.delay = max(delay, .zero)
    self.period = period
    self.scheduler = scheduler
    self.serializer = serializer
    start = (scheduler as? any UptimeScheduler)?.uptime
  }

  /// Schedules a tick, which schedules the next tick before it sends its number. Holds the subscriptions weakly.
  @discardableResult
  @usableFromInline
  func schedule(_ number: Int, _ subscriptions: CompositeDisposable?) -> any Disposable {
    let key = subscriptions.flatMap { $0.reserve() }
    let tick = scheduler.schedule(after: delay(before: number)) { [weak subscriptions] in
      subscriptions?.remove(key)
      let next = schedule(number + 1, subscriptions)
      if serializer.send(()) != .noMore { return }
      next.dispose()
      subscriptions?.dispose()
    }
    subscriptions?.set(key, to: tick)
    return tick
  }

  private func delay(before number: Int) -> Duration {
    if number == 0 { return delay }
    guard let start, let now = (scheduler as? any UptimeScheduler)?.uptime else { return period }
    // Never zero: an immediate scheduler would run the tick inside the previous one.
    return max(start + delay + period * number - now, .nanoseconds(1))
  }
}
