extension Observable {
  /// Subscribes to streams one after the other: the driver of `concat`, `catch` and `retry`.
  ///
  /// A stream is over, with all that it holds, before `next` is called and the next stream begins. `next` is called with the terminal event
  /// of each stream, and returns the stream that follows; if there is none, the subscriber gets the event. The streams have one state,
  /// which begins as `initial`.
  @inlinable
  static func sequence<State: Sendable>(
    _ first: Observable, _ initial: State,
    _ next: @escaping @Sendable (inout State, Event<Element>) -> Observable?
  ) -> Observable {
    Observable { sink, scope in
      let state = SubscriptionState(initial)
      Succession(scope, sink) { next(&state.value, $0) }.follow(first)
    }
  }
}

/// One subscription to streams that follow one another. The stream that is running retains it.
@usableFromInline
final class Succession<Element: Sendable>: Sendable {
  @usableFromInline let scope: Scope
  @usableFromInline let sink: Observable<Element>.Sink
  @usableFromInline let next: @Sendable (Event<Element>) -> Observable<Element>?
  /// Each turn subscribes to a stream. So a stream that ends at once does not make the stack grow (contract 1.6).
  @usableFromInline let turns: Turns

  @inlinable
  init(
    _ scope: Scope, _ sink: @escaping Observable<Element>.Sink,
    _ next: @escaping @Sendable (Event<Element>) -> Observable<Element>?
  ) {
    (self.scope, self.sink, self.next, turns) = (scope, sink, next, .turns(in: scope))
  }

  @inlinable
  func follow(_ stream: Observable<Element>) {
    _ = turns.send { [self] in
      if let child = scope.child() { stream.connect({ [self] in receive($0) }, closing: child) }
    }
  }

  @inlinable
  func receive(_ event: Event<Element>) -> Demand {
    if !event.isTerminal { return sink(event) }
    if let stream = next(event) { follow(stream) } else { _ = sink(event) }
    return .noMore
  }
}
