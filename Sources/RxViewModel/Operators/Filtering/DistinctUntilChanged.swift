extension ObservableType {
  /// Drops each element that `areEqual` finds equal to the element sent before it.
  ///
  ///     source                            --1--3--4--6--1--|
  ///     distinctUntilChanged(sameParity)  --1-----4-----1--|
  ///
  /// If `areEqual` throws, the stream fails with that error, and the source is disposed.
  @inlinable
  public func distinctUntilChanged(
    _ areEqual: @escaping @Sendable (Element, Element) throws -> Bool
  ) -> Observable<Element> {
    .lifting(asObservable(), Element?.none) { last, element, sink in
      if let last, try areEqual(last, element) { return .more }
      last = element
      return sink.next(element)
    }
  }

  /// Drops each element whose part at `keyPath` equals that of the element sent before it.
  ///
  ///     source                           --1x-1y-2y-2x--|
  ///     distinctUntilChanged(at: first)  --1x----2y-----|
  ///
  /// ```swift
  /// viewModel.stateObservable.distinctUntilChanged(at: \.name).bind { … }
  /// ```
  @inlinable
  public func distinctUntilChanged<Part: Equatable & SendableMetatype>(
    at keyPath: any KeyPath<Element, Part> & Sendable
  ) -> Observable<Element> {
    distinctUntilChanged { $0[keyPath: keyPath] == $1[keyPath: keyPath] }
  }
}

extension ObservableType where Element: Equatable {
  /// Drops each element that equals the element sent before it.
  ///
  ///     source                  --1--1--2--2--1--|
  ///     distinctUntilChanged()  --1-----2-----1--|
  @inlinable
  public func distinctUntilChanged() -> Observable<Element> { distinctUntilChanged { $0 == $1 } }
}
