extension ObservableType {
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
}
