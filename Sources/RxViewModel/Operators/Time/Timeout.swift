extension ObservableType {
  /// Passes all events on, and fails with ``RxError/timeout`` if no event arrives for `dueTime`.
  ///
  ///     source       --1--2-------3--|
  ///     timeout(4–)  --1--2---#
  ///
  /// The time starts at the subscription, and again when the subscriber has returned from an element, so a slow subscriber does not cause a
  /// timeout. Sends the error on `scheduler`, and disposes the subscription to the source. Each element costs one scheduled piece of work.
  @inlinable
  public func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
    require(dueTime, atLeast: .zero, "timeout: dueTime")
    return .timed(asObservable(), TimeoutState(dueTime: dueTime), on: scheduler)
  }
}

/// The state of one subscription to `timeout`.
@usableFromInline
struct TimeoutState<Element: Sendable>: TimedState {
  @usableFromInline let dueTime: Duration

  @inlinable
  var initialDelay: Duration? { dueTime }

  @inlinable
  init(dueTime: Duration) { self.dueTime = dueTime }

  @inlinable
  func receive(_ event: Event<Element>) -> TimedStep<Element> { TimedStep(event, timer: .start(dueTime)) }

  @inlinable
  func timeHasPassed() -> TimedStep<Element> { TimedStep(.error(RxError.timeout)) }
}
