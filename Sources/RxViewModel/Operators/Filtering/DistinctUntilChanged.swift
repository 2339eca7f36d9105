extension ObservableType {
  /// Drops each element that `areEqual` finds equal to the element sent before it.
  ///
  ///     source                            --1--3--4--6--1--|
  ///     distinctUntilChanged(sameParity)  --1-----4-----1--|
  ///
  /// An error that `areEqual` throws ends the stream and the subscription to the source.
  @inlinable
  public func distinctUntilChanged(
    _ areEqual: @escaping @Sendable (Element, Element) throws -> Bool
  ) -> Observable<Element> {
    .lifting(asObservable(), Element?.none) { last, event in
      let passed = event.filter { element in try last.map { try !areEqual($0, element) } ?? true }
      if case .next(let element)? = passed { last = element }
      return passed
    }
  }
}

extension ObservableType where Element: Equatable {
  /// Drops each element that equals the element sent before it.
  ///
  ///     source                  --1--1--2--2--1--|
  ///     distinctUntilChanged()  --1-----2-----1--|
  @inlinable
  public func distinctUntilChanged() -> Observable<Element> {
    distinctUntilChanged { $0 == $1 }
  }
}
