extension ObservableType {
  /// Sends the result of `transform` for each element.
  ///
  ///     source     --1---2---3--|
  ///     map(× 10)  --10--20--30-|
  ///
  /// An error that `transform` throws ends the stream and the subscription to the source.
  @inlinable
  public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Result
  ) -> Observable<Result> {
    .lifting(asObservable()) { sink in
      { forward($0.map(transform), to: sink) }
    }
  }

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

  /// Sends the elements that satisfy `isIncluded`.
  ///
  ///     source        --1--2--3--4--|
  ///     filter(even)  -----2-----4--|
  ///
  /// An error that `isIncluded` throws ends the stream and the subscription to the source.
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
    .lifting(asObservable()) { sink in
      { forward($0.filter(isIncluded), to: sink) }
    }
  }
}

extension Event {
  /// Returns the event with its element transformed, or the error that `transform` throws.
  @inline(__always)
  @inlinable
  func map<Result: Sendable>(_ transform: (Element) throws -> Result) -> Event<Result> {
    compactMap { .some(try transform($0)) }!
  }

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

  /// Returns the event, or nil if `isIncluded` rejects its element, or the error that `isIncluded` throws.
  @inline(__always)
  @inlinable
  func filter(_ isIncluded: (Element) throws -> Bool) -> Event? {
    compactMap { try isIncluded($0) ? .some($0) : nil }
  }
}
