/// An event of one of the two sources of an operator.
@usableFromInline
enum TwoSourceInput<A: Sendable, B: Sendable>: Sendable {
  case a(Event<A>)
  case b(Event<B>)
}

extension Observable {
  /// An operator with two sources and a state for each subscription, which subscribes to `a` first.
  ///
  /// `receive` gets the events of both sources one at a time, and passes to the subscriber's sink what follows from them. An error that it
  /// throws ends the stream.
  @inlinable
  static func joining<State: Sendable, A, B>(
    _ a: Observable<A>, _ b: Observable<B>, _ initial: State,
    _ receive: @escaping @Sendable (inout State, consuming TwoSourceInput<A, B>, Sink<Element>) throws -> Demand
  ) -> Observable {
    Observable { sink, scope in
      let serial = Serial(in: scope, initial, sink, receive)
      scope.connect(a, to: serial) { .a($0) }
      scope.connect(b, to: serial) { .b($0) }
    }
  }

  /// An operator with any number of sources of one type, which subscribes to them in their order. Without a source it completes
  /// immediately.
  ///
  /// `receive` gets each event with the place of its source. Otherwise like the form with two sources.
  @inlinable
  static func joining<State: Sendable, Part>(
    _ sources: [Observable<Part>], _ initial: State,
    _ receive: @escaping @Sendable (inout State, consuming (Int, Event<Part>), Sink<Element>) throws -> Demand
  ) -> Observable {
    if sources.isEmpty { return .empty() }
    return Observable { sink, scope in
      let serial = Serial(in: scope, initial, sink, receive)
      for (place, source) in sources.enumerated() { scope.connect(source, to: serial) { (place, $0) } }
    }
  }

  /// An operator with sources of different types, which `joined` gets as one type.
  @inlinable
  static func joining<each Source: ObservableType>(
    _ sources: repeat each Source, by joined: ([Observable<any Sendable>]) -> Observable<[any Sendable]>,
    _ transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable {
    // Captures the types and not the sources, because the sources retain the closure below.
    let types = (repeat (each Source).Element.self)
    var erased: [Observable<any Sendable>] = []
    // In a collection, because a cast to an optional would unwrap nested ones.
    for source in repeat each sources { erased.append(source.asObservable().map { CollectionOfOne($0) }) }
    return joined(erased).map { elements in
      var elements = elements.makeIterator()
      return try transform(repeat next(each types, of: &elements))
    }
  }
}

/// Returns the next type-erased element. Precondition: it has this type.
@inlinable
func next<Element>(_ type: Element.Type, of elements: inout IndexingIterator<[any Sendable]>) -> Element {
  (elements.next() as! CollectionOfOne<Element>)[0]
}

extension Serial {
  /// The queue of an operator that joins sources.
  @inlinable
  convenience init<State: Sendable, Element>(
    in scope: Scope, _ initial: State, _ sink: Sink<Element>,
    _ receive: @escaping @Sendable (inout State, consuming Input, Sink<Element>) throws -> Demand
  ) {
    let state = SubscriptionState(initial)
    self.init(in: scope) { input in
      do { return try receive(&state.value, consume input, sink) } catch { return sink.fail(error) }
    }
  }
}
