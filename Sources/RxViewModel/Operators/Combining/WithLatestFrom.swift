extension ObservableType {
  /// Sends the latest element of `other` for each element of the source.
  ///
  ///     source                 ---1-----2--3--|
  ///     other                  -----x-----y------
  ///     withLatestFrom(other)  ---------x--y--|
  ///
  /// Otherwise like the form with a closure.
  @inlinable
  public func withLatestFrom<Other: ObservableType>(_ other: Other) -> Observable<Other.Element> {
    withLatestFrom(other) { $1 }
  }

  /// Combines each element of the source with the latest element of `other`.
  ///
  ///     source                    ---1-----2--3--|
  ///     other                     -----x-----y------
  ///     withLatestFrom(other, +)  ---------2x-3y-|
  ///
  /// Subscribes to `other` first. Drops the elements that the source sends before the first element of `other`. The
  /// stream completes when the source completes. An error of either, or an error that `transform` throws, ends the
  /// stream and both subscriptions.
  @inlinable
  public func withLatestFrom<Other: ObservableType, Result: Sendable>(
    _ other: Other, _ transform: @escaping @Sendable (Element, Other.Element) throws -> Result
  ) -> Observable<Result> {
    sampled(other.asObservable()).map { try transform($0.0, $0.1) }
  }

  @inlinable
  func sampled<Other: Sendable>(_ other: Observable<Other>) -> Observable<(Element, Other)> {
    .composing(asObservable(), other) { source, other, sink in
      let latest = SubscriptionState<Other?>(nil)
      let serializer = EventSerializer<TwoSourceInput<Element, Other>> { forward(latest.sample($0), to: sink) }
      let subscriptions = CompositeDisposable(closing: serializer)
      return subscriptions.connecting(other, to: serializer) { .b($0) }.then {
        subscriptions.connecting(source, to: serializer) { .a($0) }
      }
    }
  }
}

extension SubscriptionState {
  @inlinable
  func sample<A, B>(_ input: TwoSourceInput<A, B>) -> Event<(A, B)>? where Value == B? {
    switch input {
    case .a(let event):
      return event.compactMap { element in value.map { (element, $0) } }
    case .b(.next(let element)):
      value = element
      return nil
    case .b(.error(let error)):
      return .error(error)
    case .b(.completed):
      return nil
    }
  }
}
