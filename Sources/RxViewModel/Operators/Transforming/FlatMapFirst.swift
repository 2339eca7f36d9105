extension ObservableType {
  /// Subscribes to what `transform` makes of an element, and leaves out the elements that come while that is alive.
  ///
  ///     source        --1--2-------3---|
  ///     flatMapFirst  ---a1---b1----a3---b3|
  ///
  /// `transform` is not called for the elements left out. The stream completes when the source and the last inner stream have;
  /// an error of one of them, or one that `transform` throws, ends it and all subscriptions.
  @inlinable
  public func flatMapFirst<Inner: ObservableType>(
    _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Inner.Element> {
    let source = asObservable()
    return Observable<Inner.Element> { sink in
      OneAtATime.connect(source, to: sink, keepsWaiting: false) { try transform($0).asObservable() }
    }
  }
}
