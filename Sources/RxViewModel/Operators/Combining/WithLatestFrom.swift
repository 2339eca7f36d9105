extension ObservableType {
  /// Sends the latest element of `other` for each element of the source.
  ///
  ///     source                 ---1-----2--3--|
  ///     other                  -----x-----y------
  ///     withLatestFrom(other)  ---------x--y--|
  ///
  /// Otherwise it behaves like the form with a closure.
  @inlinable
  public func withLatestFrom<Other: ObservableType>(_ other: Other) -> Observable<Other.Element> {
    withLatestFrom(other) { $1 }
  }

  /// Combines each element of the source with the latest element of `other`.
  ///
  ///     source                    ---1-----2--3--|
  ///     other                     -----x-----y------
  ///     withLatestFrom(other, +)  ---------2x-3y-|
  ///
  /// Subscribes to `other` first. Drops the elements that the source sends before the first element of `other`. The stream completes when
  /// the source completes. If either fails or `transform` throws, the stream fails too, and both subscriptions end.
  @inlinable
  public func withLatestFrom<Other: ObservableType, Result: Sendable>(
    _ other: Other, _ transform: @escaping @Sendable (Element, Other.Element) throws -> Result
  ) -> Observable<Result> {
    .joining(other.asObservable(), asObservable(), Other.Element?.none) { latest, input, sink in
      switch input {
      case .a(.next(let element)): latest = element
      case .b(.next(let element)): return try latest.map { sink.next(try transform(element, $0)) } ?? .more
      case .a(.error(let error)), .b(.error(let error)): throw error
      case .a(.completed): break
      case .b(.completed): return sink.on(.completed)
      }
      return .more
    }
  }
}
