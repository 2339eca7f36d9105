extension ObservableType {
  /// Sends an element when no other element has followed it for `dueTime`.
  ///
  ///     source        -1-2-3--------4-5-|
  ///     debounce(3–)  --------3---------(5|)
  ///
  /// Sends the elements on `scheduler`. When the source completes, sends the pending element and the completion at once, on the thread of
  /// the completion. An error passes at once, and drops the pending element. Each element costs one scheduled piece of work.
  @inlinable
  public func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
    let scheduler = scheduler.reference
    let source = asObservable()
    return .serial { sink, scope in
      let timer = RestartableTimer<TimedInput<Element, UInt64>>(on: scheduler, in: scope)
      let state = SubscriptionState(DebounceState<Element>())
      let serial = timer.serializing { state.value.receive($0, timer, dueTime, sink) }
      scope.connect(source, to: serial) { .source($0) }
    }
  }
}

/// The state of one subscription to `debounce`.
@usableFromInline
struct DebounceState<Element: Sendable> {
  @usableFromInline typealias Input = TimedInput<Element, UInt64>

  @usableFromInline var pending: Element?
  /// The number of the element that the timer is set for. The handler ignores a timer input with another number.
  @usableFromInline var number: UInt64 = 0

  @inlinable
  init() {}

  @inlinable
  mutating func receive(
    _ input: Input, _ timer: RestartableTimer<Input>, _ dueTime: Duration, _ sink: Observable<Element>.Sink
  ) -> Demand {
    switch input {
    case .source(.next(let element)):
      pending = element
      number += 1
      timer.start(after: dueTime) { [number] in .timer(number, $0) }
      return .more
    case .source(.error(let error)):
      return forward(.error(error), to: sink)
    case .source(.completed):
      guard let last = pending.take() else { return forward(.completed, to: sink) }
      return timer.scope.finish(with: .next(last), sink)
    case .timer(let number, let thread):
      guard number == self.number, let element = pending else { return .more }
      guard timer.isHandled(on: thread, { .timer(number, $0) }) else { return .more }
      pending = nil
      return sink(.next(element))
    }
  }
}
