extension Observable {
  /// Subscribes to streams one after the other: the driver of `concat`, `catch` and `retry`.
  ///
  /// A stream is over, with all that it holds, before `next` is called and the next stream begins. `next` is called with the end of each
  /// stream, an error or nil, and returns the stream that follows; if there is none, the subscriber gets the end. The streams have one
  /// state, which begins as `initial`.
  @inlinable
  static func sequence<State: Sendable>(
    _ first: Observable, _ initial: State, _ next: @escaping @Sendable (inout State, (any Error)?) -> Observable?
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
  @usableFromInline let sink: Sink<Element>
  @usableFromInline let next: @Sendable ((any Error)?) -> Observable<Element>?
  /// Each turn subscribes to a stream. So a stream that ends at once does not make the stack grow (contract 1.6).
  @usableFromInline let turns: Turns

  @inlinable
  init(_ scope: Scope, _ sink: Sink<Element>, _ next: @escaping @Sendable ((any Error)?) -> Observable<Element>?) {
    (self.scope, self.sink, self.next, turns) = (scope, sink, next, .turns(in: scope))
  }

  @inlinable
  func follow(_ stream: Observable<Element>) {
    _ = turns.send { [self] in
      guard let child = scope.child() else { return }
      let following = Sink(
        next: sink.next,
        end: { [self] end in
          if let stream = next(end) { follow(stream) } else { sink.end(end) }
        })
      stream.connect(following, closing: child)
    }
  }
}
