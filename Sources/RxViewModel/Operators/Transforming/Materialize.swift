extension ObservableType {
  /// Sends each event as an element, also the terminal event, then completes. Never fails.
  ///
  ///     source         --1--------2--------|
  ///     materialize()  --next(1)--next(2)--(completed|)
  @inlinable
  public func materialize() -> Observable<Event<Element>> {
    .lifting(asObservable()) { sink in
      { event in event.isTerminal ? finish(with: .next(event), sink) : sink(.next(event)) }
    }
  }
}
