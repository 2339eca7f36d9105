extension ObservableType {
  /// Combines each element with the previous result by `accumulate`, and sends each result.
  ///
  ///     source      --1--2--3--|
  ///     scan(0, +)  --1--3--6--|
  ///
  /// The first call gets `initial`, which the operator does not send. Each subscription starts from `initial`. An error
  /// that `accumulate` throws ends the stream and the subscription to the source.
  @inlinable
  public func scan<Result: Sendable>(
    _ initial: Result, _ accumulate: @escaping @Sendable (Result, Element) throws -> Result
  ) -> Observable<Result> {
    .lifting(asObservable(), initial) { last, event in
      let result = event.map { try accumulate(last, $0) }
      if case .next(let next) = result { last = next }
      return result
    }
  }

  /// Sends each element together with the previous one, from the second element on.
  ///
  ///     source             --1--2--3--|
  ///     combinePrevious()  -----12-23-|
  ///
  /// Completes with the source. Sends nothing if the source sends fewer than two elements. Retains the latest element.
  @inlinable
  public func combinePrevious() -> Observable<(previous: Element, current: Element)> {
    combiningPrevious(nil)
  }

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
    .lifting(asObservable(), initial) { last, event in
      let previous = last
      if case .next(let current) = event { last = .some(current) }
      return event.compactMap { current in previous.map { (previous: $0, current: current) } }
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
      return { event in
        if case .next(let element) = event { all.value.append(element) }
        if case .completed = event { return finish(with: .next(all.value), sink) }
        return forward(event.compactMap { _ in [Element]?.none }, to: sink)
      }
    }
  }
}
