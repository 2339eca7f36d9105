extension ObservableType {
  /// Combines all elements with `accumulate`, and sends the result when the source completes.
  ///
  ///     source        --1--2--3--|
  ///     reduce(0, +)  -----------(6|)
  ///
  /// The first call gets `initial`. If the source completes without an element, the result is `initial`. Each
  /// subscription starts from `initial`. An error of the source, or an error that `accumulate` throws, ends the stream
  /// without a result.
  @inlinable
  public func reduce<Result: Sendable>(
    _ initial: Result, _ accumulate: @escaping @Sendable (Result, Element) throws -> Result
  ) -> Observable<Result> {
    collecting(initial) { result, element in result = try accumulate(result, element) }
  }

  /// Sends all elements as one array when the source completes.
  ///
  ///     source     --1--2--3--|
  ///     toArray()  -----------([1,2,3]|)
  ///
  /// An error of the source ends the stream without an array. Retains all elements until then.
  @inlinable
  public func toArray() -> Observable<[Element]> {
    collecting([]) { $0.append($1) }
  }

  @inlinable
  func collecting<Result: Sendable>(
    _ initial: Result, _ add: @escaping @Sendable (inout Result, Element) throws -> Void
  ) -> Observable<Result> {
    .lifting(asObservable()) { sink in
      let result = SubscriptionState(initial)
      return { event in
        switch event {
        case .next(let element):
          do {
            try add(&result.value, element)
            return .more
          } catch {
            return forward(.error(error), to: sink)
          }
        case .error(let error):
          return forward(.error(error), to: sink)
        case .completed:
          return finish(with: .next(result.value), sink)
        }
      }
    }
  }
}
