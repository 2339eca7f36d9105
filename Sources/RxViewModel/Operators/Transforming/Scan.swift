extension ObservableType {
  /// Combines each element with the previous result by `accumulate`, and sends each result.
  ///
  ///     source      --1--2--3--|
  ///     scan(0, +)  --1--3--6--|
  ///
  /// The first call gets `initial`, which the operator does not send. Each subscription starts from `initial`. If `accumulate` throws, the
  /// stream fails with that error, and the source is disposed.
  @inlinable
  public func scan<Result: Sendable>(
    _ initial: Result, _ accumulate: @escaping @Sendable (Result, Element) throws -> Result
  ) -> Observable<Result> {
    .lifting(asObservable(), initial) { last, element, sink in
      last = try accumulate(last, element)
      return sink.next(last)
    }
  }

  /// Sends each element together with the previous one, from the second element on.
  ///
  ///     source             --1--2--3--|
  ///     combinePrevious()  -----12-23-|
  ///
  /// Completes with the source. Sends nothing if the source sends fewer than two elements. Retains the latest element.
  @inlinable
  public func combinePrevious() -> Observable<(previous: Element, current: Element)> { combiningPrevious(nil) }

  /// Sends each element together with the previous one, and the first element together with `initial`.
  ///
  ///     source              --1--2--3--|
  ///     combinePrevious(0)  --01-12-23-|
  ///
  /// Each subscription starts from `initial`. Retains the latest element.
  @inlinable
  public func combinePrevious(_ initial: Element) -> Observable<(previous: Element, current: Element)> {
    combiningPrevious(.some(initial))
  }

  @inlinable
  func combiningPrevious(_ initial: Element?) -> Observable<(previous: Element, current: Element)> {
    .lifting(asObservable(), initial) { last, element, sink in
      let previous = last
      last = .some(element)
      return previous.map { sink.next((previous: $0, current: element)) } ?? .more
    }
  }

  /// Sends all elements as one array when the source completes.
  ///
  ///     source     --1--2--3--|
  ///     toArray()  -----------([1,2,3]|)
  ///
  /// An error of the source ends the stream without an array. Retains all elements until then.
  @inlinable
  public func toArray() -> Observable<[Element]> {
    .lifting(asObservable()) { sink in
      let all = SubscriptionState<[Element]>([])
      return Sink(
        each: { all.value.append($0) },
        end: { if let error = $0 { sink.end(error) } else { _ = sink.finish(with: all.value) } })
    }
  }
}
