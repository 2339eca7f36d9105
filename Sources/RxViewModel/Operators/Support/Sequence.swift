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
      // Each turn subscribes to a stream. So a stream that ends immediately does not make the stack grow (contract 1.6).
      let (state, turns) = (SubscriptionState(initial), Turns.turns(in: scope))
      @Sendable func follow(_ stream: Observable) {
        _ = turns.send {
          guard let child = scope.child() else { return }
          let following = Sink<Element>(next: sink.next) { end in
            // What the stream held may have closed the scope.
            if !scope.isOpen { return }
            if let stream = next(&state.value, end) { follow(stream) } else { sink.end(end) }
          }
          stream.connect(following, closing: child)
        }
      }
      follow(first)
    }
  }
}
