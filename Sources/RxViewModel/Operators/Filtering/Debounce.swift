extension ObservableType {
  /// Sends an element once no other has followed it for `dueTime`.
  ///
  ///     source        -1-2-3--------4-5-|
  ///     debounce(3–)  --------3---------(5|)
  ///
  /// Sends the elements on `scheduler`. When the source completes, sends the pending element and the completion immediately, on the thread
  /// of the completion. An error passes immediately, and drops the pending element. Each element costs one scheduled piece of work.
  @inlinable
  public func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
    require(dueTime, atLeast: .zero, "debounce: dueTime")
    return .timed(asObservable(), DebounceState(dueTime: dueTime), on: scheduler)
  }
}

/// The state of one subscription to `debounce`.
@usableFromInline
struct DebounceState<Element: Sendable>: TimedState {
  @usableFromInline let dueTime: Duration
  @usableFromInline var pending: Event<Element>?

  @inlinable
  init(dueTime: Duration) { self.dueTime = dueTime }

  @inlinable
  mutating func receive(_ event: Event<Element>) -> TimedStep<Element> {
    switch event {
    case .next:
      pending = event
      return TimedStep(timer: .start(dueTime))
    case .error: return TimedStep(event)
    case .completed: return TimedStep(pending, event)
    }
  }

  @inlinable
  mutating func timeHasPassed() -> TimedStep<Element> { TimedStep(pending.take()) }
}
