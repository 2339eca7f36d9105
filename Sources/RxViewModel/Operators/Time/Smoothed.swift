extension ObservableType where Element == Bool {
  /// Delays true, and then holds it for a minimum time, for a spinner that does not flicker.
  ///
  ///     source                            f-t-f-t---f------|
  ///     smoothed(delay: 3–, minimum: 4–)  f--------t---f---|
  ///
  /// Sends false with the first value of the source, whatever that value is. Sends true when the source has been true for `delay` without
  /// interruption. Sends false again when the source does, but at the earliest after `minimum`. If the source is true again by then, the
  /// result stays true. A value at the very instant of a deadline belongs to the time before it. Sends no value twice in a row.
  ///
  /// Sends delayed values on `scheduler`, and the others on the thread of the source's value. If the source completes while the result is
  /// true, sends false and the completion at once. An error passes at once. At most one piece of work is scheduled at a time; a value that
  /// changes nothing schedules none.
  public func smoothed(
    delay: Duration = .milliseconds(200), minimum: Duration = .milliseconds(500), scheduler: any Scheduler
  ) -> Observable<Bool> {
    let scheduler = scheduler.reference
    let source = asObservable()
    return .serial { sink, scope in
      let timer = RestartableTimer<SmoothedState.Input>(on: scheduler, in: scope)
      let state = SubscriptionState(SmoothedState(delay: delay, minimum: minimum))
      let serial = timer.serializing { state.value.receive($0, timer, sink) }
      scope.connect(source, to: serial) { .source($0) }
    }
  }
}

/// The state of one subscription to `smoothed`.
struct SmoothedState {
  typealias Input = TimedInput<Bool, Deadline>

  /// The end of a phase, with the number of the phase. The handler ignores the end of an earlier phase.
  enum Deadline: Sendable {
    /// The time has passed. A value that arrives at this instant still belongs to the phase.
    case due(UInt64)
    case passed(UInt64)
  }

  enum Phase {
    /// Nothing has been sent.
    case initial
    /// False has been sent, and the source is false.
    case hidden
    /// False has been sent, and the source has become true.
    case delayed
    /// True has been sent, and the minimum has not passed.
    case held
    /// True has been sent, and the minimum has passed.
    case shown
  }

  let delay: Duration
  let minimum: Duration
  var phase = Phase.initial
  var number: UInt64 = 0
  /// The last value of the source.
  var isOn = false

  init(delay: Duration, minimum: Duration) {
    self.delay = delay
    self.minimum = minimum
  }

  mutating func receive(_ input: Input, _ timer: RestartableTimer<Input>, _ sink: Observable<Bool>.Sink) -> Demand {
    switch input {
    case .source(.next(let value)):
      isOn = value
      return sourceHasSent(value, timer, sink)
    case .source(.error(let error)):
      return forward(.error(error), to: sink)
    case .source(.completed):
      if phase != .held && phase != .shown { return forward(.completed, to: sink) }
      return timer.scope.finish(with: .next(false), sink)
    case .timer(.due(let number), _):
      if number == self.number { timer.send { .timer(.passed(number), $0) } }
      return .more
    case .timer(.passed(let number), let thread):
      guard number == self.number, phase == .delayed || phase == .held else { return .more }
      if phase == .held, isOn {
        phase = .shown
        return .more
      }
      guard timer.isHandled(on: thread, { .timer(.passed(number), $0) }) else { return .more }
      return phase == .delayed ? show(timer, sink) : hide(sink)
    }
  }

  private mutating func sourceHasSent(
    _ value: Bool, _ timer: RestartableTimer<Input>, _ sink: Observable<Bool>.Sink
  ) -> Demand {
    switch phase {
    case .initial:
      let demand = hide(sink)
      return value && demand != .noMore && timer.scope.isOpen ? wait(timer, sink) : demand
    case .hidden: return value ? wait(timer, sink) : .more
    case .delayed:
      if value { return .more }
      phase = .hidden
      number += 1
      timer.stop()
      return .more
    case .held: return .more
    case .shown: return value ? .more : hide(sink)
    }
  }

  /// The source has become true.
  private mutating func wait(_ timer: RestartableTimer<Input>, _ sink: Observable<Bool>.Sink) -> Demand {
    if delay <= .zero { return show(timer, sink) }
    enter(.delayed, for: delay, timer)
    return .more
  }

  private mutating func show(_ timer: RestartableTimer<Input>, _ sink: Observable<Bool>.Sink) -> Demand {
    phase = .shown
    let demand = sink(.next(true))
    if demand != .noMore, minimum > .zero { enter(.held, for: minimum, timer) }
    return demand
  }

  private mutating func hide(_ sink: Observable<Bool>.Sink) -> Demand {
    phase = .hidden
    return sink(.next(false))
  }

  private mutating func enter(_ phase: Phase, for time: Duration, _ timer: RestartableTimer<Input>) {
    self.phase = phase
    number += 1
    timer.start(after: time) { [number] in .timer(.due(number), $0) }
  }
}
