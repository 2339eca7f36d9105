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
}
