extension ObservableType {
  /// Subscribes to what `transform` makes of each element, one after the other, and sends the elements of these.
  ///
  ///     source     --1--2---------|
  ///     concatMap  ---a1--b1--a2--b2|
  ///
  /// An element waits until the inner streams before it have completed; `transform` is called when its turn comes, where the
  /// inner stream before it completed. Elements wait without bound. The stream completes when the source and all inner streams
  /// have; an error of one of them, or one that `transform` throws, ends it and all subscriptions.
  @inlinable
  public func concatMap<Inner: ObservableType>(
    _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Inner.Element> {
    let source = asObservable()
    return Observable<Inner.Element> { sink in
      OneAtATime.connect(source, to: sink, keepsWaiting: true) { try transform($0).asObservable() }
    }
  }
}
