extension Observable {
  /// Combines the first elements of both sources, then their second elements, and so on.
  ///
  ///     a             --1-----2---3--|
  ///     b             ----x-y----------|
  ///     zip(a, b, +)  ----1x--2y-------|
  ///
  /// Elements wait for their partners without bound. The sources may send from several threads; the operator sends one pair at a time. The
  /// stream completes when no further pair is possible: when a source has completed and none of its elements waits. An error of a source,
  /// or an error that `transform` throws, ends the stream and both subscriptions.
  @inlinable
  public static func zip<A, B>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ transform: @escaping @Sendable (A, B) throws -> Element
  ) -> Observable<Element> {
    pairs(a.asObservable(), b.asObservable()).map { try transform($0.0, $0.1) }
  }

  @inlinable
  static func pairs<A, B>(_ a: Observable<A>, _ b: Observable<B>) -> Observable<(A, B)> {
    Observable<(A, B)>.joining(a, b, ZipState())
  }
}

/// The state of one subscription to `zip`: the elements that wait for their partners.
@usableFromInline
struct ZipState<A: Sendable, B: Sendable>: CombiningState {
  @usableFromInline var a = Queue<A>()
  @usableFromInline var b = Queue<B>()
  @usableFromInline var isACompleted = false
  @usableFromInline var isBCompleted = false

  @inlinable
  init() {}

  /// No further pair is possible.
  @inlinable
  var isOver: Bool {
    isACompleted && a.isEmpty || isBCompleted && b.isEmpty
  }

  @inlinable
  mutating func receive(_ input: TwoSourceInput<A, B>) -> Event<(A, B)>? {
    switch input {
    case .a(.next(let element)):
      a.append(element)
    case .b(.next(let element)):
      b.append(element)
    case .a(.error(let error)), .b(.error(let error)):
      return .error(error)
    case .a(.completed):
      isACompleted = true
      return isOver ? .completed : nil
    case .b(.completed):
      isBCompleted = true
      return isOver ? .completed : nil
    }
    if a.isEmpty || b.isEmpty { return nil }
    return .next((a.popFirst()!, b.popFirst()!))
  }
}
