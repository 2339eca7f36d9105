extension ObservableType {
  /// Sends `element` if the source completes without an element.
  ///
  ///     source               -----|
  ///     ifEmpty(default: 9)  -----(9|)
  @inlinable
  public func ifEmpty(default element: Element) -> Observable<Element> {
    .lifting(asObservable()) { sink in
      let isEmpty = SubscriptionState(true)
      return { event in
        if case .next = event { isEmpty.value = false }
        if case .completed = event, isEmpty.value { return finish(with: CollectionOfOne(element), sink) }
        return forward(event, to: sink)
      }
    }
  }
}
