/// An event of one of the two sources of an operator.
@usableFromInline
enum TwoSourceInput<A: Sendable, B: Sendable>: Sendable {
  case a(Event<A>)
  case b(Event<B>)
}

extension Observable {
  /// An operator with two sources and a state for each subscription, which subscribes to `a` first.
  ///
  /// - Parameters:
  ///   - isOver: Whether only the completion follows the event that `receive` has returned.
  ///   - receive: Returns the event for the subscriber, if there is one. It gets the events of both sources one at a time.
  @inlinable
  static func joining<State: Sendable, A, B>(
    _ a: Observable<A>, _ b: Observable<B>, _ initial: State, isOver: @escaping @Sendable (State) -> Bool = { _ in false },
    _ receive: @escaping @Sendable (inout State, TwoSourceInput<A, B>) -> Event<Element>?
  ) -> Observable {
    Observable { sink, scope in
      let state = SubscriptionState(initial)
      let serial = Serial<TwoSourceInput<A, B>>(in: scope) { input in
        guard let event = receive(&state.value, input) else { return .more }
        return isOver(state.value) ? finish(with: event, sink) : forward(event, to: sink)
      }
      scope.connect(a) { serial.send(.a($0)) }
      scope.connect(b) { serial.send(.b($0)) }
    }
  }

  /// An operator with any number of sources of one type, which subscribes to them in their order. Without a source it completes at once.
  ///
  /// - Parameter receive: Returns the event for the subscriber, if there is one. It gets the events one at a time, each with the place of
  /// its source.
  @inlinable
  static func joining<State: Sendable, Part>(
    _ sources: [Observable<Part>], _ initial: State,
    _ receive: @escaping @Sendable (inout State, Int, Event<Part>) -> Event<Element>?
  ) -> Observable {
    if sources.isEmpty { return .empty() }
    return Observable { sink, scope in
      let state = SubscriptionState(initial)
      let serial = Serial<(Int, Event<Part>)>(in: scope) { forward(receive(&state.value, $0.0, $0.1), to: sink) }
      for (index, source) in sources.enumerated() { scope.connect(source) { serial.send((index, $0)) } }
    }
  }
}
