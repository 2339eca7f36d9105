extension Observable {
  /// Sends the elements of all `sources` as they come.
  ///
  ///     a              --1-----3-----|
  ///     b              ----2------4------|
  ///     merge([a, b])  --1-2---3--4------|
  ///
  /// The sources are subscribed in their order. The stream completes when all have; an error of one ends it and the
  /// subscriptions to the others. Elements that come from several threads at once are sent one at a time.
  @inlinable
  public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
    Observable(.composite(Composite(.merge, sources)))
  }

  /// Sends the elements of all `sources`, which may be of different types, as they come.
  ///
  ///     subject              --1-----3-----|
  ///     b                    ----2------4------|
  ///     merge([subject, b])  --1-2---3--4------|
  @inlinable
  @_disfavoredOverload
  public static func merge(_ sources: [any ObservableType<Element>]) -> Observable<Element> {
    merge(sources.map { $0.asObservable() })
  }

  /// Sends the elements of all `sources` as they come.
  ///
  ///     a            --1-----3-----|
  ///     b            ----2------4------|
  ///     merge(a, b)  --1-2---3--4------|
  @inlinable
  public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
    merge(sources)
  }

  /// Sends the elements of all `sources`, which may be of different types, as they come.
  ///
  ///     subject            --1-----3-----|
  ///     b                  ----2------4------|
  ///     merge(subject, b)  --1-2---3--4------|
  @inlinable
  @_disfavoredOverload
  public static func merge(_ sources: any ObservableType<Element>...) -> Observable<Element> {
    merge(sources.map { $0.asObservable() })
  }
}

extension ObservableType {
  /// Sends the elements of this stream and of `other` as they come.
  ///
  ///     source              --1-----3-----|
  ///     other               ----2------4------|
  ///     merge(with: other)  --1-2---3--4------|
  ///
  /// Behaves as `merge` of an array does.
  @inlinable
  public func merge(with other: some ObservableType<Element>) -> Observable<Element> {
    .merge([asObservable(), other.asObservable()])
  }

  /// Sends the elements of this stream and of `other` as they come.
  ///
  ///     source                 --1--2--|
  ///     merge(with: .just(9))  9-1--2--|
  ///
  /// This form lets `other` be written as `.just(9)`.
  @inlinable
  public func merge(with other: Observable<Element>) -> Observable<Element> {
    .merge([asObservable(), other])
  }
}
