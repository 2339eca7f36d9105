extension ObservableType {
  /// Sends each event as an element, the terminal event too, then completes.
  ///
  ///     source         --1--------2--------|
  ///     materialize()  --next(1)--next(2)--(completed|)
  @inlinable
  public func materialize() -> Observable<Event<Element>> {
    let source = asObservable()
    return Observable<Event<Element>> { sink in
      let subscriptions = CompositeDisposable()
      let key = subscriptions.reserve()
      let subscription = source.connect { event in
        if !event.isTerminal { return sink(.next(event)) }
        subscriptions.remove(key)
        subscriptions.finish(with: .next(event), sink)
        return .noMore
      }
      subscriptions.set(key, to: subscription)
      return subscriptions
    }
  }
}
