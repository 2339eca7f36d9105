extension Observable {
  /// Combines the latest elements of two sources each time that one of them sends an element.
  ///
  ///     a                       --1-----2--------|
  ///     b                       ----x------y--|
  ///     combineLatest(a, b, +)  ----1x--2x-2y----|
  ///
  /// Sends nothing until both sources have sent an element. The sources may send from several threads; the operator combines their elements
  /// one at a time, in one order. The stream completes when no further element is possible: when both sources have completed, or one of
  /// them without an element. If a source fails or `transform` throws, the stream fails too, and both subscriptions end.
  @inlinable
  public static func combineLatest<A, B>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ transform: @escaping @Sendable (A, B) throws -> Element
  ) -> Observable<Element> {
    .joining(a.asObservable(), b.asObservable(), (a: A?.none, b: B?.none, completed: 0)) { latest, input, sink in
      switch input {
      case .a(.next(let element)): latest.a = element
      case .b(.next(let element)): latest.b = element
      case .a(.error(let error)), .b(.error(let error)): throw error
      case .a(.completed) where latest.a == nil, .b(.completed) where latest.b == nil: return sink.on(.completed)
      case .a(.completed), .b(.completed):
        latest.completed += 1
        return latest.completed == 2 ? sink.on(.completed) : .more
      }
      guard let a = latest.a, let b = latest.b else { return .more }
      return sink.next(try transform(a, b))
    }
  }

  /// Combines the latest elements of three sources each time that one of them sends an element.
  ///
  ///     a                          --1-------2----------|
  ///     b                          ----x---------y---|
  ///     c                          ------o-----------p-----|
  ///     combineLatest(a, b, c, +)  ------1xo-2xo-2yo-2yp---|
  ///
  /// Otherwise it behaves like the form with two sources.
  @inlinable
  public static func combineLatest<A, B, C>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ transform: @escaping @Sendable (A, B, C) throws -> Element
  ) -> Observable<Element> {
    combineLatest(Observable<(A, B)>.combineLatest(a, b) { ($0, $1) }, c) { try transform($0.0, $0.1, $1) }
  }
}
