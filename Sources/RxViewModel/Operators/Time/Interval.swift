extension Observable where Element == Int {
  /// Sends 0, 1, 2 and so on without end, one number after each `period`.
  ///
  ///     interval(2–)  --0-1-2-3-
  ///
  /// Sends the numbers on `scheduler`. Each period begins at the previous tick. The stream never ends by itself; disposing stops the timer.
  /// A `period` of zero or less is a programming mistake and is trapped.
  @inlinable
  public static func interval(_ period: Duration, scheduler: any Scheduler) -> Observable<Int> {
    require(period > .zero, "interval: period must be greater than zero")
    let scheduler = scheduler.reference
    return Observable { sink in
      let number = SubscriptionState(0)
      // The handler counts, because on a concurrent scheduler a tick may overtake the previous one.
      let serializer = EventSerializer<Void> {
        defer { number.value += 1 }
        return sink(.next(number.value))
      }
      let subscriptions = CompositeDisposable(closing: serializer)
      IntervalTimer(period: period, scheduler: scheduler, serializer: serializer).schedule(subscriptions)
      return subscriptions
    }
  }

  /// Sends 0 after `delay`, then completes.
  ///
  ///     timer(4–)  ----(0|)
  ///
  /// Sends both events on `scheduler`. A `delay` below zero counts as zero.
  @inlinable
  public static func timer(_ delay: Duration, scheduler: any Scheduler) -> Observable<Int> {
    let scheduler = scheduler.reference
    return Observable { sink in
      let serializer = EventSerializer<Event<Int>> { forward($0, to: sink) }
      let subscriptions = CompositeDisposable(closing: serializer)
      subscriptions.schedule(after: delay, on: scheduler) {
        if serializer.send(.next(0)) != .noMore { _ = serializer.send(.completed) }
      }
      return subscriptions
    }
  }
}

/// One subscription to `interval`.
@usableFromInline
struct IntervalTimer: Sendable {
  @usableFromInline let period: Duration
  @usableFromInline let scheduler: any Scheduler
  @usableFromInline let serializer: EventSerializer<Void>

  @usableFromInline
  init(period: Duration, scheduler: any Scheduler, serializer: EventSerializer<Void>) {
    self.period = period
    self.scheduler = scheduler
    self.serializer = serializer
  }

  /// Schedules a tick. The tick schedules the next one before it sends its number. The ticks do not retain the subscriptions.
  @discardableResult
  @usableFromInline
  func schedule(_ subscriptions: CompositeDisposable?) -> any Disposable {
    let key = subscriptions.flatMap { $0.reserve() }
    let tick = scheduler.schedule(after: period) { [weak subscriptions] in
      subscriptions?.remove(key)
      let next = schedule(subscriptions)
      if serializer.send(()) != .noMore { return }
      next.dispose()
      subscriptions?.dispose()
    }
    subscriptions?.set(key, to: tick)
    return tick
  }
}
