extension Observable {
  /// Sends the elements of the first source, when it has completed those of the second, and so on.
  ///
  ///     a               --1--2--|
  ///     b                       --3--|
  ///     concat([a, b])  --1--2----3--|
  ///
  /// A source is subscribed when its turn comes, where the one before it completed. An error of one ends the stream.
  @inlinable
  public static func concat(_ sources: [Observable<Element>]) -> Observable<Element> {
    Observable(.composite(Composite(.concat, sources)))
  }
}

extension ObservableType {
  /// Sends the elements of this stream and, when it has completed, those of `other`.
  ///
  ///     source         --1--2--|
  ///     other                  --3--|
  ///     concat(other)  --1--2----3--|
  ///
  /// Behaves as `concat` of an array does.
  @inlinable
  public func concat(_ other: some ObservableType<Element>) -> Observable<Element> {
    .concat([asObservable(), other.asObservable()])
  }

  /// Sends the elements of this stream and, when it has completed, those of `other`.
  ///
  ///     source            --1--2--|
  ///     concat(.just(9))  --1--2--(9|)
  ///
  /// This form lets `other` be written as `.just(9)`.
  @inlinable
  public func concat(_ other: Observable<Element>) -> Observable<Element> {
    .concat([asObservable(), other])
  }
}
