// An operator works out its event first and passes it on last, from the smallest frame that will do: frames add up
// along a chain (contract 1.6).

/// Passes an operator's event on. Returns, as a sink does, whether the source is still wanted.
@inlinable
func forward<Element: Sendable>(_ event: Event<Element>, to sink: Observable<Element>.Sink) -> Bool {
  sink(event) && !event.isTerminal
}

/// Passes an operator's event on, if there is one. Returns, as a sink does, whether the source is still wanted.
@inlinable
func forward<Element: Sendable>(_ event: Event<Element>?, to sink: Observable<Element>.Sink) -> Bool {
  guard let event else { return true }
  return sink(event) && !event.isTerminal
}

/// Passes an operator's last element on, then the completion if that is wanted. Returns, as a sink does, that the
/// source is not.
@inlinable
func finish<Element: Sendable>(with last: Event<Element>, _ sink: Observable<Element>.Sink) -> Bool {
  forward(last, to: sink) && forward(.completed, to: sink)
}
