extension Observable {
  /// Sends the elements of the sources one source after the other.
  ///
  ///     a               --1--2--|
  ///     b                       --3--|
  ///     concat([a, b])  --1--2----3--|
  ///
  /// Subscribes to each source when the previous source completes, on the thread of that completion. An error of a source ends the stream.
  @inlinable
  public static func concat(_ sources: [Observable<Element>]) -> Observable<Element> {
    // Neither template: one source follows the other.
    Observable { sink, scope in
      // The next one last. Without the running source, which would otherwise be kept alive by its own subscription.
      let rest = SubscriptionState(Array(sources.reversed()))
      let attempts = Attempts<Element>(in: scope, sink) { end, _, _ in
        guard case .completed = end, let next = rest.value.popLast() else { return .pass }
        return .subscribe(next)
      }
      if let first = rest.value.popLast() { attempts.run(first) } else { _ = sink(.completed) }
    }
  }
}

extension ObservableType {
  /// Sends the elements of this stream, then those of `other`.
  ///
  ///     source         --1--2--|
  ///     other                  --3--|
  ///     concat(other)  --1--2----3--|
  ///
  /// Subscribes to `other` when this stream completes, on the thread of that completion. An error of either ends the stream. To
  /// concatenate hundreds of streams, use the form with an array: each `concat` of a chain takes stack (contract 1.6).
  @inlinable
  public func concat(_ other: some ObservableType<Element>) -> Observable<Element> {
    .concat([asObservable(), other.asObservable()])
  }

  /// Sends the elements of this stream, then those of `other`.
  ///
  ///     source            --1--2--|
  ///     concat(.just(9))  --1--2--(9|)
  ///
  /// Because `other` is an ``Observable``, an argument such as `.just(9)` needs no type before the dot. Otherwise like the generic form.
  @inlinable
  public func concat(_ other: Observable<Element>) -> Observable<Element> {
    .concat([asObservable(), other])
  }
}
