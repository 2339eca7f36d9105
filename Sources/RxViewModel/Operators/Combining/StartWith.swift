extension ObservableType {
  /// Sends `elements` first, on the subscribing thread, then what the source sends.
  ///
  ///     source           --------1---2---|
  ///     startWith(9, 8)  (9,8)---1---2---|
  ///
  /// The source is subscribed once the elements have been sent.
  @inlinable
  public func startWith(_ elements: Element...) -> Observable<Element> {
    Observable(.composite(Composite(.concat, [.from(elements), asObservable()])))
  }
}
