extension ObservableType {
  /// Sends at most one element per `period`: the first immediately, then the latest of each window when the window ends.
  ///
  ///     source                       -1-2-3----4------5-|
  ///     throttle(4–)                 -1---3----4------5-|
  ///     throttle(4–, latest: false)  -1--------4------5-|
  ///
  /// The first element passes immediately and opens a window, which lasts for `period` from the moment your subscriber has returned. At its
  /// end, the latest element that arrived in it is sent on `scheduler`, even one that arrived at that very instant, and opens the next
  /// window. A completion waits for that element. Each window costs two scheduled pieces of work.
  ///
  /// With `latest: false`, elements that arrive in a window are dropped, and a completion passes immediately. An error always passes
  /// immediately, and drops the pending element.
  @inlinable
  public func throttle(_ period: Duration, latest: Bool = true, scheduler: any Scheduler) -> Observable<Element> {
    require(period, atLeast: .zero, "throttle: period")
    return .timed(asObservable(), ThrottleState(period: period, sendsLatest: latest), on: scheduler)
  }
}

/// The state of one subscription to `throttle`.
@usableFromInline
struct ThrottleState<Element: Sendable>: TimedState {
  @usableFromInline
  enum Window: Sendable {
    case closed
    /// With the latest element that has arrived in it.
    case open(Event<Element>?)
    /// The source has completed. At its end the window sends this element, and the stream completes.
    case last(Event<Element>)
  }

  @usableFromInline let period: Duration
  @usableFromInline let sendsLatest: Bool
  @usableFromInline var window = Window.closed

  @inlinable
  static var isInclusive: Bool { true }

  @inlinable
  init(period: Duration, sendsLatest: Bool) { (self.period, self.sendsLatest) = (period, sendsLatest) }

  @inlinable
  mutating func receive(_ event: Event<Element>) -> TimedStep<Element> {
    switch (event, window) {
    case (.next, .closed): return open(with: event)
    case (.next, _):
      if sendsLatest { window = .open(event) }
      return TimedStep()
    case (.completed, .open(let pending?)):
      window = .last(pending)
      return TimedStep()
    case (.error, _), (.completed, _): return TimedStep(event)
    }
  }

  @inlinable
  mutating func timeHasPassed() -> TimedStep<Element> {
    switch window {
    case .open(let pending?): return open(with: pending)
    case .last(let pending): return TimedStep(pending, .completed)
    case .open(nil), .closed:
      window = .closed
      return TimedStep()
    }
  }

  @inlinable
  mutating func open(with event: Event<Element>) -> TimedStep<Element> {
    window = .open(nil)
    return TimedStep(event, timer: .start(period))
  }
}
