extension ObservableType {
  /// Sends each event as an element, also the terminal event, then completes. Never fails.
  ///
  ///     source         --1--------2--------|
  ///     materialize()  --next(1)--next(2)--(completed|)
  @inlinable
  public func materialize() -> Observable<Event<Element>> {
    let source = asObservable()
    return Observable { sink, scope in
      source.connect(
        { event in
          event.isTerminal ? scope.finish(with: .next(event), sink) : sink(.next(event))
        }, in: scope)
    }
  }
}
