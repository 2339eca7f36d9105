extension ObservableType {
  /// Drops elements until `other` sends an element, and sends all elements that follow.
  ///
  ///     source              --1--2--3--4--|
  ///     other               ------x----
  ///     skip(until: other)  --------3--4--|
  ///
  /// Subscribes to `other` first, and disposes that subscription after its first element. If `other` completes without an element, drops
  /// all elements. The stream completes when the source does. An error of either ends the stream and both subscriptions.
  @inlinable
  public func skip(until other: some ObservableType) -> Observable<Element> {
    .composing(asObservable(), other.asObservable().take(1).map { _ in }) { source, other, sink in
      let isOpen = SubscriptionState(false)
      let serializer = EventSerializer<TwoSourceInput<Element, Void>> { forward(isOpen.skip($0), to: sink) }
      let subscriptions = CompositeDisposable(closing: serializer)
      return subscriptions.connecting(other, to: serializer) { .b($0) }.then {
        subscriptions.connecting(source, to: serializer) { .a($0) }
      }
    }
  }
}

extension SubscriptionState<Bool> {
  /// Returns the event to pass on. The state's value is true once elements pass.
  @inlinable
  func skip<Element>(_ input: TwoSourceInput<Element, Void>) -> Event<Element>? {
    switch input {
    case .a(let event):
      return value || event.isTerminal ? event : nil
    case .b(.next):
      value = true
      return nil
    case .b(.error(let error)):
      return .error(error)
    case .b(.completed):
      return nil
    }
  }
}
