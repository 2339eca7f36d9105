extension Observable {
  /// Sends the elements of the sources one source after the other.
  ///
  ///     a               --1--2--|
  ///     b                       --3--|
  ///     concat([a, b])  --1--2----3--|
  ///
  /// Subscribes to each source when the previous source completes, on the thread of that completion. If that source is still being
  /// subscribed then, the thread that does so subscribes to the next one afterwards. An error of a source ends the stream.
  @inlinable
  public static func concat(_ sources: [Observable<Element>]) -> Observable<Element> {
    // The state: the sources that follow, in reverse. The running one is not among them, because its own subscription would retain it.
    .sequence(sources.first ?? .empty(), Array(sources.dropFirst().reversed())) { rest, end in
      end == nil ? rest.popLast() : nil
    }
  }

  /// Sends the elements of the sources one source after the other.
  ///
  ///     a             --1--2--|
  ///     b                     --3--|
  ///     concat(a, b)  --1--2----3--|
  ///
  /// Otherwise it behaves like the form with an array.
  @inlinable
  public static func concat(_ sources: Observable<Element>...) -> Observable<Element> { concat(sources) }
}

extension ObservableType {
  /// Sends the elements of this stream, then those of `other`.
  ///
  ///     source         --1--2--|
  ///     other                  --3--|
  ///     concat(other)  --1--2----3--|
  ///
  /// Subscribes to `other` when this stream completes, on the thread of that completion. If this stream is still being subscribed then, the
  /// thread that does so subscribes to `other` afterwards. An error of either ends the stream. To concatenate hundreds of streams, use the
  /// form with an array: each `concat` of a chain takes stack (contract 1.6).
  @inlinable
  public func concat(_ other: Observable<Element>) -> Observable<Element> { .concat([asObservable(), other]) }
}
