extension Observable {
  /// Combines the first elements of both sources, then their second elements, and so on.
  ///
  ///     a             --1-----2---3--|
  ///     b             ----x-y----------|
  ///     zip(a, b, +)  ----1x--2y-------|
  ///
  /// Elements wait for their partners without bound. The sources may send from several threads; pairs are sent one at a time. The stream
  /// completes when no further pair is possible: when a source has completed and none of its elements waits. An error of a source, or an
  /// error that `transform` throws, ends the stream and both subscriptions.
  @inlinable
  public static func zip<A, B>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ transform: @escaping @Sendable (A, B) throws -> Element
  ) -> Observable<Element> {
    pairs(a.asObservable(), b.asObservable()).map { try transform($0.0, $0.1) }
  }

  @inlinable
  static func pairs<A, B>(_ a: Observable<A>, _ b: Observable<B>) -> Observable<(A, B)> {
    Observable<(A, B)>.composing(a, b) { a, b, sink in
      let state = SubscriptionState(ZipState<A, B>())
      // Disposed with the other subscriptions, so that the handler can tell whether the callback of a pair has disposed all.
      let open = CompositeDisposable()
      let serializer = EventSerializer<TwoSourceInput<A, B>> { input in
        guard let event = state.zip(input) else { return .more }
        if !state.value.isOver { return forward(event, to: sink) }
        open.finish(with: event, sink)
        return .noMore
      }
      let subscriptions = CompositeDisposable(closing: serializer)
      subscriptions.add(open)
      return subscriptions.connecting(a, to: serializer) { .a($0) }.then {
        subscriptions.connecting(b, to: serializer) { .b($0) }
      }
    }
  }
}

/// The state of one subscription to `zip`: the elements that wait for their partners.
@usableFromInline
struct ZipState<A: Sendable, B: Sendable> {
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
}

extension SubscriptionState {
  @inlinable
  func zip<A, B>(_ input: TwoSourceInput<A, B>) -> Event<(A, B)>? where Value == ZipState<A, B> {
    switch input {
    case .a(.next(let element)):
      value.a.append(element)
    case .b(.next(let element)):
      value.b.append(element)
    case .a(.error(let error)), .b(.error(let error)):
      return .error(error)
    case .a(.completed):
      value.isACompleted = true
      return value.isOver ? .completed : nil
    case .b(.completed):
      value.isBCompleted = true
      return value.isOver ? .completed : nil
    }
    if value.a.isEmpty || value.b.isEmpty { return nil }
    return .next((value.a.popFirst()!, value.b.popFirst()!))
  }
}
