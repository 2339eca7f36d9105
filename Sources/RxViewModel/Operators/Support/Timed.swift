/// The state of one subscription to an operator with one source and one timer. It returns what to do next, and touches nothing else.
@usableFromInline
protocol TimedState: Sendable {
  associatedtype Element: Sendable
  associatedtype Output: Sendable

  /// The time from the subscription to the first ``timeHasPassed()``. Nil if an event starts the timer.
  var initialDelay: Duration? { get }
  /// Whether an event that arrives at the very instant at which the time has passed comes before that.
  static var isInclusive: Bool { get }

  mutating func receive(_ event: Event<Element>) -> TimedStep<Output>

  /// Called on the scheduler, once for each start of the timer, unless it has been stopped or started again.
  mutating func timeHasPassed() -> TimedStep<Output>
}

extension TimedState {
  @inlinable
  var initialDelay: Duration? { nil }

  @inlinable
  static var isInclusive: Bool { false }
}

/// The next step of an operator with a timer: it sends up to two events, then changes the timer.
@usableFromInline
struct TimedStep<Output: Sendable>: Sendable {
  @usableFromInline
  enum Timer: Sendable {
    case keep, stop
    /// Starts it when the subscriber has returned from the events, in place of the one that is running.
    case start(Duration)
  }

  @usableFromInline let first: Event<Output>?
  @usableFromInline let second: Event<Output>?
  @usableFromInline let timer: Timer

  @inlinable
  init(_ first: Event<Output>? = nil, _ second: Event<Output>? = nil, timer: Timer = .keep) {
    (self.first, self.second, self.timer) = (first, second, timer)
  }
}

extension Observable {
  /// An operator with one source and one timer.
  @inlinable
  static func timed<State: TimedState>(
    _ source: Observable<State.Element>, _ initial: State, on scheduler: any Scheduler
  ) -> Observable where State.Output == Element {
    let scheduler = SchedulerHandle(scheduler)
    return Observable { sink, scope in
      let serial = Serial<TimedDriver<State>.Input>(in: scope)
      let driver = TimedDriver(initial, on: scheduler, in: scope, serial, sink)
      if let delay = initial.initialDelay { driver.start(after: delay) }
      serial.start { driver.handle($0) }
      scope.connect(source, Sink { serial.send(.source($0)) })
    }
  }
}

/// Drives a ``TimedState``: handles its inputs, numbers the starts of its timer, and sends its events.
///
/// The handler of the queue retains it, so the end of the scope releases it. The sink of the source and the scheduled work retain the queue.
@usableFromInline
// Sendable: only the handler uses the variables.
final class TimedDriver<State: TimedState>: @unchecked Sendable {
  @usableFromInline
  enum Input: Sendable {
    case source(Event<State.Element>)
    /// The time has passed, and the scheduler's other work for this instant comes first.
    case due(UInt64)
    /// The time has passed, on the scheduler's thread.
    case passed(UInt64, ThreadID)
  }

  @usableFromInline let scheduler: SchedulerHandle
  @usableFromInline let scope: Scope
  @usableFromInline let sink: Sink<State.Output>
  @usableFromInline unowned let serial: Serial<Input>
  @exclusivity(unchecked) @usableFromInline var state: State
  /// The number of the timer's last start or stop. An input with an older number is ignored.
  @exclusivity(unchecked) @usableFromInline var number: UInt64 = 0
  /// The scope of the work that the scheduler has for the timer.
  @exclusivity(unchecked) @usableFromInline var pending: Scope?

  @inlinable
  init(
    _ state: State, on scheduler: SchedulerHandle, in scope: Scope, _ serial: Serial<Input>, _ sink: Sink<State.Output>
  ) {
    (self.state, self.scheduler, self.scope, self.serial, self.sink) = (state, scheduler, scope, serial, sink)
  }

  @inlinable
  func handle(_ input: Input) -> Demand {
    switch input {
    case .source(let event): return perform(state.receive(event))
    // Expression patterns: only the number of the last start matches.
    case .due(number): sendPassed()
    case .passed(number, let thread):
      if thread.isCurrent {
        fireTimer()
        return perform(state.timeHasPassed())
      }
      // Another thread was delivering and handles this input, but the events have to come on the scheduler.
      sendPassed()
    case .due, .passed: break
    }
    return .more
  }

  @inlinable
  func perform(_ step: TimedStep<State.Output>) -> Demand {
    if case .keep = step.timer {} else { stop() }
    if let first = step.first, sink.on(first) == .noMore { return .noMore }
    if let second = step.second, !scope.isOpen || sink.on(second) == .noMore { return .noMore }
    if case .start(let delay) = step.timer { start(after: delay) }
    return .more
  }

  /// Does nothing if the operator has been disposed, for instance by the callback of the current event.
  @inlinable
  func start(after delay: Duration) {
    // An event may still come before the time counts as passed, or restart the timer.
    pending = scheduler.schedule(after: delay, in: scope, isTimer: false) { [serial, number] in
      _ = serial.send(State.isInclusive ? .due(number) : .passed(number, .current))
    }
  }

  /// Drops the timer's pending input, and has the handler ignore one that is on its way.
  @inlinable
  func stop() {
    number += 1
    pending.take()?.dispose()
  }

  /// Sends the input after the work that the scheduler already has for this instant.
  @inlinable
  func sendPassed() { scheduler.schedule { [serial, number] in _ = serial.send(.passed(number, .current)) } }
}
