extension ObservableType {
  /// Sends `element` if the source completes without an element.
  ///
  ///     source               -----|
  ///     ifEmpty(default: 9)  -----(9|)
  @inlinable
  public func ifEmpty(default element: Element) -> Observable<Element> {
    .lifting(asObservable()) { sink in
      let isEmpty = SubscriptionState(true)
      return { isEmpty.isEmptied(by: $0) ? finish(with: .next(element), sink) : forward($0, to: sink) }
    }
  }
}

extension SubscriptionState<Bool> {
  /// Whether the event completes a stream without an element. The state's value is true until the first element.
  @inlinable
  func isEmptied<Element>(by event: Event<Element>) -> Bool {
    if case .next = event { value = false }
    if case .completed = event { return value }
    return false
  }
}
