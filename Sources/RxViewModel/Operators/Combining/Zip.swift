extension Observable {
  /// Combines the first elements of both sources, then their second elements, and so on.
  ///
  ///     a             --1-----2---3--|
  ///     b             ----x-y----------|
  ///     zip(a, b, +)  ----1x--2y-------|
  ///
  /// Elements wait for their partners, without a limit. The sources may send from several threads; pairs are sent one at a time. The stream
  /// completes when no further pair is possible: a source has completed, and none of its elements waits. If a source fails or `transform`
  /// throws, the stream fails too, and both subscriptions end.
  @inlinable
  public static func zip<A, B>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ transform: @escaping @Sendable (A, B) throws -> Element
  ) -> Observable<Element> {
    .joining(a.asObservable(), b.asObservable(), ZipState<A, B>()) { waiting, input, sink in
      switch input {
      case .a(.next(let element)): waiting.a.append(element)
      case .b(.next(let element)): waiting.b.append(element)
      case .a(.error(let error)), .b(.error(let error)): throw error
      case .a(.completed): waiting.isACompleted = true
      case .b(.completed): waiting.isBCompleted = true
      }
      if !waiting.a.isEmpty, !waiting.b.isEmpty {
        let pair = (waiting.a.popFirst()!, waiting.b.popFirst()!)
        if sink.next(try transform(pair.0, pair.1)) == .noMore { return .noMore }
      }
      return waiting.isOver ? sink.on(.completed) : .more
    }
  }
}

/// The state of one subscription to `zip`: the elements that wait for their partners.
@usableFromInline
struct ZipState<A: Sendable, B: Sendable>: Sendable {
  @usableFromInline var (a, b) = (Queue<A>(), Queue<B>())
  @usableFromInline var (isACompleted, isBCompleted) = (false, false)

  @inlinable
  init() {}

  /// No further pair is possible.
  @inlinable
  var isOver: Bool { isACompleted && a.isEmpty || isBCompleted && b.isEmpty }
}
