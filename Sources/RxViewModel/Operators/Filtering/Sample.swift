extension ObservableType {
  /// Sends the latest element of the source for each element of `sampler`, unless it has been sent already.
  ///
  ///     source           --1-2-----3--|
  ///     sampler          -----x--x------x-|
  ///     sample(sampler)  -----2---------(3|)
  ///
  /// The completion of `sampler` counts as one more element of it. Subscribes to the source first. Sends elements on the sampler's threads.
  /// The stream completes when both have completed or, after the source has completed, with the next element of `sampler`. An error of
  /// either ends the stream and both subscriptions.
  @inlinable
  public func sample(_ sampler: some ObservableType) -> Observable<Element> {
    .joining(asObservable(), sampler.asObservable(), SampleState())
  }
}

/// The state of one subscription to `sample`.
@usableFromInline
struct SampleState<Element: Sendable, Other: Sendable>: CombiningState {
  @usableFromInline var pending: Element?
  @usableFromInline var isSourceCompleted = false
  @usableFromInline var isSamplerCompleted = false
  /// Whether only the completion follows the event that ``receive(_:)`` has returned.
  @usableFromInline var isOver = false

  @inlinable
  init() {}

  @inlinable
  mutating func receive(_ input: TwoSourceInput<Element, Other>) -> Event<Element>? {
    switch input {
    case .a(.next(let element)):
      // After the completion of the sampler, no element is sent any more.
      if !isSamplerCompleted { pending = element }
      return nil
    case .a(.error(let error)), .b(.error(let error)):
      return .error(error)
    case .a(.completed):
      isSourceCompleted = true
      isOver = isSamplerCompleted
      return isOver ? .completed : nil
    case .b(.next):
      return sample()
    case .b(.completed):
      isSamplerCompleted = true
      return sample()
    }
  }

  @inlinable
  mutating func sample() -> Event<Element>? {
    isOver = isSourceCompleted
    return pending.take().map { .next($0) } ?? (isOver ? .completed : nil)
  }
}
