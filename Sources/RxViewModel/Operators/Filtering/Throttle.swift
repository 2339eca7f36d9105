extension ObservableType {
  /// Sends at most one element per `period`: the first at once, then the latest of each window at its end.
  ///
  ///     source                       -1-2-3----4------5-|
  ///     throttle(4–)                 -1---3----4------5-|
  ///     throttle(4–, latest: false)  -1--------4------5-|
  ///
  /// An element that arrives while no window is open passes at once, and opens a window. The window lasts for `period`, from the moment at
  /// which the subscriber returns from that element. At the end of the window, the operator sends the latest element that arrived in it,
  /// even one that arrived at that very instant. It sends that element on `scheduler`, and opens the next window. A completion waits for
  /// that element. Each window costs two scheduled pieces of work.
  ///
  /// With `latest: false` the operator drops the elements that arrive in a window, and a completion passes at once. An error always passes
  /// at once, and drops the pending element.
  @inlinable
  public func throttle(_ period: Duration, latest: Bool = true, scheduler: any Scheduler) -> Observable<Element> {
    let scheduler = scheduler.reference
    let source = asObservable()
    return .serial { sink, scope in
      let timer = RestartableTimer<TimedInput<Element, ThrottleTimer>>(on: scheduler, in: scope)
      let state = SubscriptionState(ThrottleState<Element>(period: period, sendsLatest: latest))
      let serial = timer.serializing { state.value.receive($0, timer, sink) }
      scope.connect(source, to: serial) { .source($0) }
    }
  }
}

@usableFromInline
enum ThrottleTimer: Sendable {
  /// The window's time has elapsed; an element that arrives at this instant still belongs to it.
  case due
  case closed
}

/// The state of one subscription to `throttle`.
@usableFromInline
struct ThrottleState<Element: Sendable> {
  @usableFromInline typealias Input = TimedInput<Element, ThrottleTimer>

  @usableFromInline let period: Duration
  @usableFromInline let sendsLatest: Bool
  @usableFromInline var isWindowOpen = false
  @usableFromInline var pending: Element?
  @usableFromInline var isCompleted = false

  @inlinable
  init(period: Duration, sendsLatest: Bool) {
    self.period = period
    self.sendsLatest = sendsLatest
  }

  @inlinable
  mutating func receive(_ input: Input, _ timer: RestartableTimer<Input>, _ sink: Observable<Element>.Sink) -> Demand {
    switch input {
    case .source(.next(let element)):
      if !isWindowOpen { return open(with: element, timer, sink) }
      if sendsLatest { pending = element }
      return .more
    case .source(.error(let error)):
      return forward(.error(error), to: sink)
    case .source(.completed):
      isCompleted = true
      return pending == nil ? forward(.completed, to: sink) : .more
    case .timer(.due, _):
      timer.send { .timer(.closed, $0) }
      return .more
    case .timer(.closed, let thread):
      guard pending == nil || timer.isHandled(on: thread, { .timer(.closed, $0) }) else { return .more }
      isWindowOpen = false
      guard let element = pending.take() else { return .more }
      if !isCompleted { return open(with: element, timer, sink) }
      return timer.scope.finish(with: .next(element), sink)
    }
  }

  @inlinable
  mutating func open(with element: Element, _ timer: RestartableTimer<Input>, _ sink: Observable<Element>.Sink)
    -> Demand
  {
    isWindowOpen = true
    let demand = sink(.next(element))
    if demand != .noMore { timer.start(after: period) { .timer(.due, $0) } }
    return demand
  }
}
