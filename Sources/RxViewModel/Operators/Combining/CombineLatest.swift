extension Observable {
  /// Combines the latest elements of two sources each time that one of them sends an element.
  ///
  ///     a                       --1-----2--------|
  ///     b                       ----x------y--|
  ///     combineLatest(a, b, +)  ----1x--2x-2y----|
  ///
  /// Sends nothing until both sources have sent an element. The sources may send from several threads; the operator combines their elements
  /// one at a time, in one order. The stream completes when both sources have completed. An error of a source, or an error that `transform`
  /// throws, ends the stream and both subscriptions.
  @inlinable
  public static func combineLatest<A, B>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ transform: @escaping @Sendable (A, B) throws -> Element
  ) -> Observable<Element> {
    .joining(a.asObservable(), b.asObservable(), (a: A?.none, b: B?.none, completed: 0)) { latest, input in
      switch input {
      case .a(.next(let element)): latest.a = element
      case .b(.next(let element)): latest.b = element
      case .a(.error(let error)), .b(.error(let error)): return .error(error)
      case .a(.completed):
        latest.completed += 1
        return latest.a == nil || latest.completed == 2 ? .completed : nil
      case .b(.completed):
        latest.completed += 1
        return latest.b == nil || latest.completed == 2 ? .completed : nil
      }
      guard let a = latest.a, let b = latest.b else { return nil }
      return Event.next((a, b)).map { try transform($0.0, $0.1) }
    }
  }

  /// Combines the latest elements of three sources each time that one of them sends an element.
  ///
  ///     a                          --1-------2----------|
  ///     b                          ----x---------y---|
  ///     c                          ------o-----------p-----|
  ///     combineLatest(a, b, c, +)  ------1xo-2xo-2yo-2yp---|
  ///
  /// The stream completes when all three sources have completed. Otherwise like the form with two sources.
  @inlinable
  public static func combineLatest<A, B, C>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ transform: @escaping @Sendable (A, B, C) throws -> Element
  ) -> Observable<Element> {
    combineLatest(Observable<(A, B)>.combineLatest(a, b) { ($0, $1) }, c) { try transform($0.0, $0.1, $1) }
  }
}
