extension ObservableType {
  /// Sends the result of `transform` for each element, unless that result is nil.
  ///
  ///     source           --1--x--2--|
  ///     compactMap(Int)  --1-----2--|
  ///
  /// An error that `transform` throws ends the stream and the subscription to the source.
  @inlinable
  public func compactMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Result?
  ) -> Observable<Result> {
    .lifting(asObservable()) { sink in
      { forward($0.compactMap(transform), to: sink) }
    }
  }
}

extension Event {
  /// Returns the event with its element transformed, or nil if `transform` returns nil, or the error that `transform` throws.
  @inline(__always)
  @inlinable
  func compactMap<Result: Sendable>(_ transform: (Element) throws -> Result?) -> Event<Result>? {
    switch self {
    case .next(let element):
      do {
        return try transform(element).map { .next($0) }
      } catch {
        return .error(error)
      }
    case .error(let error): return .error(error)
    case .completed: return .completed
    }
  }
}
