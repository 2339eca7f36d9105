extension ObservableType where Element == Bool {
  /// Delays true, then holds it for a minimum time, so that a spinner doesn't flicker.
  ///
  ///     source                            f-t-f-t---f------|
  ///     smoothed(delay: 3–, minimum: 4–)  f--------t---f---|
  ///
  /// Sends false with the first value, whatever it is. Sends true when the source has been true for `delay` without interruption, and false
  /// when the source turns false again, but not before `minimum` has passed. If the source is true again by then, the result stays true. A
  /// value at the very instant of a deadline belongs to the time before it. Sends no value twice in a row.
  ///
  /// Sends delayed values on `scheduler`, and the others on the thread of the source's value. If the source completes while the result is
  /// true, sends false and the completion immediately. An error passes immediately. At most one piece of work is scheduled at a time; a
  /// value that changes nothing schedules none.
  public func smoothed(
    delay: Duration = .milliseconds(200), minimum: Duration = .milliseconds(500), scheduler: any Scheduler
  ) -> Observable<Bool> {
    require(delay, atLeast: .zero, "smoothed: delay")
    require(minimum, atLeast: .zero, "smoothed: minimum")
    return .timed(asObservable(), SmoothedState(delay: delay, minimum: minimum), on: scheduler)
  }
}

/// The state of one subscription to `smoothed`.
@usableFromInline
struct SmoothedState: TimedState {
  enum Phase {
    /// Nothing has been sent.
    case initial
    /// False has been sent, and the source is false.
    case hidden
    /// False has been sent, and the source has become true.
    case delayed
    /// True has been sent, and the minimum has not passed. With the last value of the source.
    case held(Bool)
    /// True has been sent, and the minimum has passed.
    case shown
  }

  let delay: Duration
  let minimum: Duration
  var phase = Phase.initial

  @usableFromInline static let isInclusive = true

  @usableFromInline
  mutating func receive(_ event: Event<Bool>) -> TimedStep<Bool> {
    switch (event, phase) {
    case (.next(true), .initial): return wait(.next(false))
    case (.next(false), .initial), (.next(false), .shown): return hide()
    case (.next(true), .hidden): return wait(nil)
    case (.next(false), .delayed):
      phase = .hidden
      return TimedStep(timer: .stop)
    case (.next(let value), .held):
      phase = .held(value)
      return TimedStep()
    case (.next, _): return TimedStep()
    case (.completed, .held), (.completed, .shown): return TimedStep(.next(false), event)
    case (.error, _), (.completed, _): return TimedStep(event)
    }
  }

  @usableFromInline
  mutating func timeHasPassed() -> TimedStep<Bool> {
    switch phase {
    case .delayed: return show(nil)
    case .held(false): return hide()
    case .held(true), .initial, .hidden, .shown:
      phase = .shown
      return TimedStep()
    }
  }

  /// The source has become true.
  private mutating func wait(_ first: Event<Bool>?) -> TimedStep<Bool> {
    if delay == .zero { return show(first) }
    phase = .delayed
    return TimedStep(first, timer: .start(delay))
  }

  private mutating func show(_ first: Event<Bool>?) -> TimedStep<Bool> {
    let isHeld = minimum > .zero
    phase = isHeld ? .held(true) : .shown
    return TimedStep(first, .next(true), timer: isHeld ? .start(minimum) : .keep)
  }

  private mutating func hide() -> TimedStep<Bool> {
    phase = .hidden
    return TimedStep(.next(false))
  }
}
