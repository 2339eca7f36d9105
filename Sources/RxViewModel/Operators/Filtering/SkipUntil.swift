extension ObservableType {
  /// Drops elements until `other` sends an element, and sends all elements that follow.
  ///
  ///     source              --1--2--3--4--|
  ///     other               ------x----
  ///     skip(until: other)  --------3--4--|
  ///
  /// Subscribes to `other` first, and disposes that subscription after its first element. If `other` completes without an element, drops
  /// all elements. The stream completes when the source does. An error of either ends the stream and both subscriptions.
  @inlinable
  public func skip(until other: some ObservableType) -> Observable<Element> {
    .joining(other.asObservable().take(1), asObservable(), SkipUntilState())
  }
}

/// The state of one subscription to `skip(until:)`.
@usableFromInline
struct SkipUntilState<Element: Sendable, Other: Sendable>: CombiningState {
  @usableFromInline var isOpen = false

  @inlinable
  init() {}

  @inlinable
  mutating func receive(_ input: TwoSourceInput<Other, Element>) -> Event<Element>? {
    switch input {
    case .a(.next):
      isOpen = true
      return nil
    case .a(.error(let error)): return .error(error)
    case .a(.completed): return nil
    case .b(let event): return isOpen || event.isTerminal ? event : nil
    }
  }
}
