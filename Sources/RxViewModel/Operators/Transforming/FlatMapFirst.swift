extension ObservableType {
  /// Subscribes to what `transform` makes of an element, and leaves out the elements that come while that is alive.
  ///
  ///     source               --1--2-----3----|
  ///     inner 1                -a--b--|
  ///     inner 3                         -x--y--|
  ///     flatMapFirst(inner)  ---a--b-----x--y--|
  ///
  /// `transform` is not called for the elements left out. The stream completes when the source and the last inner stream have;
  /// an error of one of them, or one that `transform` throws, ends it and all subscriptions.
  @inlinable
  public func flatMapFirst<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink in
      OneAtATime.connect(source, to: sink, keepsWaiting: false) { try transform($0) }
    }
  }

  /// Subscribes to what `transform` makes of an element, of a type such as a subject, unless the last is alive.
  ///
  ///     source                  --1-----|
  ///     inner 1                   -a--b--|
  ///     flatMapFirst(subjects)  ---a--b--|
  ///
  /// Behaves as the form with closures that return an ``Observable``.
  @inlinable
  public func flatMapFirst<Inner: ObservableType>(
    _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Inner.Element> {
    flatMapFirst { try transform($0).asObservable() }
  }
}
