/// Receives the events of one subscription, one at a time.
///
/// An element is passed on as it is, from closure to closure. It is not wrapped in an ``Event``, because that would copy it for each
/// subscriber. An operator computes its element first and passes it on last, from a small stack frame, because the frames of a chain add
/// up (contract 1.6).
@usableFromInline
struct Sink<Element: Sendable>: Sendable {
  /// Receives an element. Returns whether the sink wants more.
  @usableFromInline let next: @Sendable (Element) -> Demand
  /// Receives the end: the error, or nil for the completion.
  @usableFromInline let end: @Sendable ((any Error)?) -> Void

  @inlinable
  init(next: @escaping @Sendable (Element) -> Demand, end: @escaping @Sendable ((any Error)?) -> Void) {
    (self.next, self.end) = (next, end)
  }

  /// A sink that always wants more.
  @inlinable
  init(each receive: @escaping @Sendable (Element) -> Void, end: @escaping @Sendable ((any Error)?) -> Void) {
    next = { element in
      receive(element)
      return .more
    }
    self.end = end
  }

  /// A sink for a handler of events. Copies each element into an event.
  @inlinable
  init(_ handle: @escaping @Sendable (consuming Event<Element>) -> Demand) {
    next = { handle(.next($0)) }
    end = { _ = handle(Event(end: $0)) }
  }

  /// Receives an event. Returns ``Demand/noMore`` for the end.
  @inlinable
  func on(_ event: consuming Event<Element>) -> Demand {
    switch consume event {
    case .next(let element): return next(element)
    case .error(let error): end(error)
    case .completed: end(nil)
    }
    return .noMore
  }

  /// Receives an error, which ends the stream.
  @inlinable
  func fail(_ error: any Error) -> Demand {
    end(error)
    return .noMore
  }

  /// Receives the last element, and the completion if it wants more after that.
  @inlinable
  func finish(with element: Element) -> Demand {
    if next(element) == .more { end(nil) }
    return .noMore
  }
}
