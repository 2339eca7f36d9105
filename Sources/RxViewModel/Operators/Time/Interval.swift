extension Observable where Element == Int {
  /// Sends 0, 1, 2 and so on without end, one number after each `period`.
  ///
  ///     interval(2–)  --0-1-2-3-
  ///
  /// Sends the numbers on `scheduler`. Each period begins at the previous tick. The stream never ends by itself; disposing stops the timer.
  /// A `period` of zero or less is a programming mistake and is trapped.
  public static func interval(_ period: Duration, scheduler: any Scheduler) -> Observable<Int> {
    require(period > .zero, "interval: period must be greater than zero")
    return RepeatingTimer.stream(after: period, every: period, on: scheduler.reference, start: nil)
  }

  /// Sends 0 after `delay`, then completes.
  ///
  ///     timer(4–)  ----(0|)
  ///
  /// Sends both events on `scheduler`. A `delay` below zero counts as zero.
  @inlinable
  public static func timer(_ delay: Duration, scheduler: any Scheduler) -> Observable<Int> {
    let scheduler = scheduler.reference
    return Observable { sink, scope in
      let serial = Serial<Event<Int>>(in: scope) { forward($0, to: sink) }
      scope.schedule(after: delay, on: scheduler) {
        if serial.send(.next(0)) == .more { _ = serial.send(.completed) }
      }
    }
  }
}

extension Observable {
  /// Sends 0, 1, 2 and so on without end, at the head of a chain that continues with another element type.
  ///
  ///     interval(2–)  --0-1-2-3-
  ///
  /// Where an `Observable<Price>` is expected, `.interval(.seconds(1), scheduler: scheduler).map { Price($0) }` calls this form. Behaves
  /// like the form of `Observable<Int>`.
  @_disfavoredOverload
  public static func interval(_ period: Duration, scheduler: any Scheduler) -> Observable<Int> {
    .interval(period, scheduler: scheduler)
  }

  /// Sends 0 after `delay`, then completes, at the head of a chain that continues with another element type.
  ///
  ///     timer(4–)  ----(0|)
  ///
  /// Where an `Observable<Price>` is expected, `.timer(.seconds(1), scheduler: scheduler).map { Price($0) }` calls this form. Behaves like
  /// the form of `Observable<Int>`.
  @inlinable
  @_disfavoredOverload
  public static func timer(_ delay: Duration, scheduler: any Scheduler) -> Observable<Int> {
    .timer(delay, scheduler: scheduler)
  }
}
