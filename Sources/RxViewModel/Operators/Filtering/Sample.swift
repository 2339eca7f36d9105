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
    .composing(asObservable(), sampler.asObservable().map { _ in }) { source, sampler, sink in
      let state = SubscriptionState(SampleState<Element>())
      // Disposed with the subscriptions, so that the handler can tell whether the callback of an element has disposed all.
      let open = CompositeDisposable()
      let serializer = EventSerializer<TwoSourceInput<Element, Void>> { input in
        guard let event = state.value.receive(input) else { return .more }
        if !state.value.isOver { return forward(event, to: sink) }
        open.finish(with: event, sink)
        return .noMore
      }
      let subscriptions = CompositeDisposable(closing: serializer)
      subscriptions.add(open)
      return subscriptions.connecting(source, to: serializer) { .a($0) }.then {
        subscriptions.connecting(sampler, to: serializer) { .b($0) }
      }
    }
  }
}

/// The state of one subscription to `sample`.
@usableFromInline
struct SampleState<Element: Sendable> {
  @usableFromInline var pending: Element?
  @usableFromInline var isSourceCompleted = false
  @usableFromInline var isSamplerCompleted = false
  /// Whether only the completion follows the event that ``receive(_:)`` has returned.
  @usableFromInline var isOver = false

  @inlinable
  init() {}

  @inlinable
  mutating func receive(_ input: TwoSourceInput<Element, Void>) -> Event<Element>? {
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
