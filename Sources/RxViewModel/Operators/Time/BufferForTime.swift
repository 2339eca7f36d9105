extension ObservableType {
  /// Collects the elements in arrays. Sends an array when `timeSpan` has passed or when it holds `count` elements.
  ///
  ///     source                     -1-2--3-----------|
  ///     buffer(for: 6–, count: 2)  ---[1,2]-[3]---[]-([]|)
  ///
  /// The time starts at the subscription, and again when the subscriber has returned from an array. At the end of `timeSpan` the operator
  /// sends the array on `scheduler`, even if it is empty. It sends a full array on the thread of the last element. When the source
  /// completes, it first sends the remaining elements, or an empty array. An error passes at once, and drops the remaining elements.
  ///
  /// A `timeSpan` or a `count` of zero or less is a programming mistake and is trapped. Each array costs one scheduled
  /// piece of work.
  @inlinable
  public func buffer(
    for timeSpan: Duration, count: Int = .max, scheduler: any Scheduler
  ) -> Observable<[Element]> {
    require(timeSpan > .zero, "buffer: timeSpan must be greater than zero")
    require(count > 0, "buffer: count must be greater than 0")
    let scheduler = scheduler.reference
    let source = asObservable()
    return .serial { sink, scope in
      let timer = RestartableTimer<TimedInput<Element, UInt64>>(on: scheduler, in: scope)
      let state = SubscriptionState(BufferState<Element>(timeSpan: timeSpan, count: count))
      let serial = timer.serializing(isBusy: true) { state.value.receive($0, timer, sink) }
      timer.start(after: timeSpan) { .timer(0, $0) }
      _ = serial.run()
      scope.connect(source, to: serial) { .source($0) }
    }
  }
}

/// The state of one subscription to `buffer(for:count:scheduler:)`.
@usableFromInline
struct BufferState<Element: Sendable> {
  @usableFromInline typealias Input = TimedInput<Element, UInt64>

  @usableFromInline let timeSpan: Duration
  @usableFromInline let count: Int
  @usableFromInline var buffer: [Element] = []
  /// The number of arrays sent. The handler ignores a timer input with a smaller number.
  @usableFromInline var number: UInt64 = 0

  @inlinable
  init(timeSpan: Duration, count: Int) {
    self.timeSpan = timeSpan
    self.count = count
  }

  @inlinable
  mutating func receive(_ input: Input, _ timer: RestartableTimer<Input>, _ sink: Observable<[Element]>.Sink) -> Demand
  {
    switch input {
    case .source(.next(let element)):
      buffer.append(element)
      return buffer.count < count ? .more : flush(timer, sink)
    case .source(.error(let error)):
      return forward(.error(error), to: sink)
    case .source(.completed):
      return timer.scope.finish(with: .next(buffer), sink)
    case .timer(let number, let thread):
      guard number == self.number, timer.isHandled(on: thread, { .timer(number, $0) }) else { return .more }
      return flush(timer, sink)
    }
  }

  @inlinable
  mutating func flush(_ timer: RestartableTimer<Input>, _ sink: Observable<[Element]>.Sink) -> Demand {
    var full: [Element] = []
    swap(&full, &buffer)
    // An input that the timer sends while the subscriber runs now has an older number, so the handler ignores it.
    number += 1
    let demand = sink(.next(full))
    if demand != .noMore { timer.start(after: timeSpan) { [number] in .timer(number, $0) } }
    return demand
  }
}
