extension ObservableType {
  /// Sends `elements` on the subscribing thread, then the elements of the source.
  ///
  ///     source           --------1---2---|
  ///     startWith(9, 8)  (9,8)---1---2---|
  ///
  /// Subscribes to the source after it has sent `elements`.
  @inlinable
  public func startWith(_ elements: Element...) -> Observable<Element> { .concat([.from(elements), asObservable()]) }
}
