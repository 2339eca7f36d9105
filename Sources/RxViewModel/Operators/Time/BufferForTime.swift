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
    return .timed(asObservable(), BufferState(timeSpan: timeSpan, count: count), on: scheduler)
  }
}

/// The state of one subscription to `buffer(for:count:scheduler:)`.
@usableFromInline
struct BufferState<Element: Sendable>: TimedState {
  @usableFromInline let timeSpan: Duration
  @usableFromInline let count: Int
  @usableFromInline var buffer: [Element] = []

  @inlinable
  var initialDelay: Duration? { timeSpan }

  @inlinable
  init(timeSpan: Duration, count: Int) {
    self.timeSpan = timeSpan
    self.count = count
  }

  @inlinable
  mutating func receive(_ event: Event<Element>) -> TimedStep<[Element]> {
    switch event {
    case .next(let element):
      buffer.append(element)
      return buffer.count < count ? TimedStep() : timeHasPassed()
    case .error(let error): return TimedStep(.error(error))
    case .completed: return TimedStep(.next(buffer), .completed)
    }
  }

  @inlinable
  mutating func timeHasPassed() -> TimedStep<[Element]> {
    var full: [Element] = []
    swap(&full, &buffer)
    return TimedStep(.next(full), timer: .start(timeSpan))
  }
}
