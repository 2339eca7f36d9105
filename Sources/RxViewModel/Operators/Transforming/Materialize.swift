extension ObservableType {
  /// Sends each event as an element, also the terminal event, then completes. Never fails.
  ///
  ///     source         --1--------2--------|
  ///     materialize()  --next(1)--next(2)--(completed|)
  @inlinable
  public func materialize() -> Observable<Event<Element>> {
    .lifting(asObservable()) { sink in
      Sink(next: { sink.next(.next($0)) }, end: { _ = sink.finish(with: Event(end: $0)) })
    }
  }

  /// Sends the elements among the events of a materialized stream, and leaves out its errors and completions.
  ///
  ///     source      -next(1)-error(x)-next(2)-completed|
  ///     elements()  -1----------------2----------------|
  ///
  /// With `flatMapLatest { request($0).materialize() }` as the source, it sends the elements of the requests, and continues when one of
  /// them fails. Completes with the source. An error of the source itself ends the stream.
  @inlinable
  public func elements<T>() -> Observable<T> where Element == Event<T> {
    compactMap { event in
      if case .next(let element) = event { .some(element) } else { nil }
    }
  }

  /// Sends the errors among the events of a materialized stream, and leaves out its elements and completions.
  ///
  ///     source    -next(1)-error(x)-next(2)-error(y)-|
  ///     errors()  ---------x----------------y--------|
  ///
  /// With `flatMapLatest { request($0).materialize() }` as the source, it sends one error for each request that fails. Completes with the
  /// source. An error of the source itself ends the stream.
  @inlinable
  public func errors<T>() -> Observable<any Error> where Element == Event<T> {
    compactMap { event in
      if case .error(let error) = event { error } else { nil }
    }
  }
}
