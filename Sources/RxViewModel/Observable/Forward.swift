// An operator computes its event first and passes it on last, from a small stack frame, because the frames of a chain add up (contract
// 1.6).

/// Passes an operator's event on. Returns the answer for the source, which is `.noMore` for a terminal event.
@inlinable
func forward<Element: Sendable>(_ event: Event<Element>, to sink: Observable<Element>.Sink) -> Demand {
  if !event.isTerminal { return sink(event) }
  _ = sink(event)
  return .noMore
}

/// Passes an operator's event on, if there is one. Returns the answer for the source, which is `.noMore` for a terminal event.
@inlinable
func forward<Element: Sendable>(_ event: Event<Element>?, to sink: Observable<Element>.Sink) -> Demand {
  guard let event else { return .more }
  return forward(event, to: sink)
}

/// Passes an operator's last event on. If it is an element, passes the completion on too, if the subscriber wants it. Returns `.noMore` for
/// the source.
@inlinable
func finish<Element: Sendable>(with last: Event<Element>, _ sink: Observable<Element>.Sink) -> Demand {
  if forward(last, to: sink) == .more { _ = sink(.completed) }
  return .noMore
}
