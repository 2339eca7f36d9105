extension ObservableType {
  /// Sends what `accumulate` makes of its last result and each element. The seed itself is not sent.
  ///
  ///     source      --1--2--3--|
  ///     scan(0, +)  --1--3--6--|
  ///
  /// Each subscription starts from the seed. An error that `accumulate` throws ends the stream and the subscription to
  /// the source.
  @inlinable
  public func scan<Result: Sendable>(
    _ initial: Result, _ accumulate: @escaping @Sendable (Result, Element) throws -> Result
  ) -> Observable<Result> {
    .lifting(asObservable()) { sink in
      let last = SerialState(initial)
      return { pass(last.scan($0, accumulate), to: sink) }
    }
  }
}

extension SerialState {
  @inlinable
  func scan<Element: Sendable>(
    _ event: Event<Element>, _ accumulate: (Value, Element) throws -> Value
  ) -> Event<Value> where Value: Sendable {
    let result = event.map { try accumulate(value, $0) }
    if case .next(let next) = result { value = next }
    return result
  }
}
