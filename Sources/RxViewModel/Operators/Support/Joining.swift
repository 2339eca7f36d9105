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
  ///   - receive: Returns the event for the subscriber, if there is one. An error that it throws ends the stream. It gets the events of
  ///     both sources one at a time.
  @inlinable
  static func joining<State: Sendable, A, B>(
    _ a: Observable<A>, _ b: Observable<B>, _ initial: State,
    isOver: @escaping @Sendable (State) -> Bool = { _ in false },
    _ receive: @escaping @Sendable (inout State, consuming TwoSourceInput<A, B>) throws -> Event<Element>?
  ) -> Observable {
    Observable { sink, scope in
      let serial = Serial(in: scope, sink, initial, isOver, receive)
      scope.connect(a, to: serial) { .a($0) }
      scope.connect(b, to: serial) { .b($0) }
    }
  }

  /// An operator with any number of sources of one type, which subscribes to them in their order. Without a source it completes at once.
  ///
  /// `receive` gets each event with the place of its source. Otherwise like the form with two sources.
  @inlinable
  static func joining<State: Sendable, Part>(
    _ sources: [Observable<Part>], _ initial: State, isOver: @escaping @Sendable (State) -> Bool = { _ in false },
    _ receive: @escaping @Sendable (inout State, consuming (Int, Event<Part>)) throws -> Event<Element>?
  ) -> Observable {
    if sources.isEmpty { return .empty() }
    return Observable { sink, scope in
      let serial = Serial(in: scope, sink, initial, isOver, receive)
      for (place, source) in sources.enumerated() { scope.connect(source, to: serial) { (place, $0) } }
    }
  }
}

extension Observable {
  /// Combines the elements of sources of different types, which `combine` gets as one type.
  @inlinable
  static func joining<each Source: ObservableType>(
    _ sources: repeat each Source, by combine: ([Observable<any Sendable>]) -> Observable<[any Sendable]>,
    _ transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable {
    // Captures the types and not the sources, because the sources retain the closure below.
    let types = (repeat (each Source).Element.self)
    var erased: [Observable<any Sendable>] = []
    for source in repeat each sources { erased.append(source.asObservable().map { $0 }) }
    return combine(erased).map { elements in
      var elements = elements.makeIterator()
      return try transform(repeat next(each types, of: &elements))
    }
  }
}

/// Returns the next type-erased element. Precondition: it has this type.
@inlinable
func next<Element>(_ type: Element.Type, of elements: inout IndexingIterator<[any Sendable]>) -> Element {
  elements.next() as! Element
}

extension Serial {
  /// The queue of an operator that joins sources.
  @inlinable
  convenience init<State: Sendable, Element>(
    in scope: Scope, _ sink: Sink<Element>, _ initial: State, _ isOver: @escaping @Sendable (State) -> Bool,
    _ receive: @escaping @Sendable (inout State, consuming Input) throws -> Event<Element>?
  ) {
    let state = SubscriptionState(initial)
    self.init(in: scope) { input in
      do {
        guard let event = try receive(&state.value, consume input) else { return .more }
        let demand = sink.on(consume event)
        if demand == .noMore || !isOver(state.value) { return demand }
        sink.end(nil)
        return .noMore
      } catch {
        return sink.fail(error)
      }
    }
  }
}
