// An operator works out its event first and passes it on last, from the smallest frame that will do: frames add up
// along a chain (contract 1.6).

/// Passes an operator's event on. Returns the answer to the source, which is to stop at a terminal event.
@inlinable
func forward<Element: Sendable>(_ event: Event<Element>, to sink: Observable<Element>.Sink) -> Demand {
  let demand = sink(event)
  return event.isTerminal ? .noMore : demand
}

/// Passes an operator's event on, if there is one. Returns the answer to the source, which is to stop at a terminal
/// event.
@inlinable
func forward<Element: Sendable>(_ event: Event<Element>?, to sink: Observable<Element>.Sink) -> Demand {
  guard let event else { return .more }
  let demand = sink(event)
  return event.isTerminal ? .noMore : demand
}

/// Passes an operator's last element on, then the completion if the subscriber wants it. The source is to stop.
@inlinable
func finish<Element: Sendable>(with last: Event<Element>, _ sink: Observable<Element>.Sink) -> Demand {
  if sink(last) != .noMore { _ = sink(.completed) }
  return .noMore
}
