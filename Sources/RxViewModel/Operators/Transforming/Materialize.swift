extension ObservableType {
  /// Sends each event as an element, also the terminal event, then completes. Never fails.
  ///
  ///     source         --1--------2--------|
  ///     materialize()  --next(1)--next(2)--(completed|)
  @inlinable
  public func materialize() -> Observable<Event<Element>> {
    .composing(asObservable()) { source, sink in
      let subscriptions = CompositeDisposable()
      let key = subscriptions.reserve()
      return subscriptions.connecting(source, key) { event in
        if !event.isTerminal { return sink(.next(event)) }
        subscriptions.remove(key)
        subscriptions.finish(with: .next(event), sink)
        return .noMore
      }
    }
  }
}
