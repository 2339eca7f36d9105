extension Observable {
  /// Sends the elements of all `sources` as they come.
  ///
  ///     a      --1-----3-----|
  ///     b      ----2------4------|
  ///     merge  --1-2---3--4------|
  ///
  /// The sources are subscribed in their order. The stream completes when all have; an error of one ends it and the
  /// subscriptions to the others. Elements that come from several threads at once are sent one at a time.
  @inlinable
  public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
    Observable(.composite(Composite(.merge, sources)))
  }
}

extension ObservableType {
  /// Sends the elements of this stream and of `other` as they come, as ``Observable/merge(_:)`` does.
  @inlinable
  public func merge(with other: some ObservableType<Element>) -> Observable<Element> {
    .merge([asObservable(), other.asObservable()])
  }
}
