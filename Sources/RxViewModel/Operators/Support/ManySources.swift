/// What an operator of any number of sources remembers: `combineLatest`, `zip`.
@usableFromInline
protocol ManySourcesState: Sendable {
  associatedtype Element: Sendable

  /// Whether nothing but the completion follows what ``combine(_:)`` has returned.
  var isOver: Bool { get }

  /// Takes an event of a source. Returns the event for the subscriber, if there is one.
  mutating func combine(_ input: SourceInput<Element>) -> Event<[Element]>?
}

extension Observable {
  /// Combines sources of one type. Subscribes to them in their order; without a source the stream completes at once.
  ///
  /// - Parameter makeState: Makes the state of a subscription from the number of sources.
  @inlinable
  static func combining<Part, State: ManySourcesState>(
    _ sources: [some ObservableType<Part>], _ makeState: @escaping @Sendable (_ count: Int) -> State
  ) -> Observable<[Part]> where State.Element == Part {
    if sources.isEmpty { return .empty() }
    return .composing(sources.map { $0.asObservable() }) { sources, sink in
      let state = SubscriptionState(makeState(sources.count))
      // Disposed with the rest: tells the handler whether the callback of an element has disposed all.
      let open = CompositeDisposable()
      let serializer = EventSerializer<SourceInput<Part>> { input in
        guard let event = state.value.combine(input) else { return .more }
        if !state.value.isOver { return forward(event, to: sink) }
        open.finish(with: event, sink)
        return .noMore
      }
      let subscriptions = CompositeDisposable(closing: serializer)
      subscriptions.add(open)
      return subscriptions.connecting(sources, to: serializer)
    }
  }

  /// Combines sources of different types, whose types are erased on the way.
  ///
  /// - Parameter combine: The same for sources of one type.
  @inlinable
  static func combining<each Source: ObservableType>(
    _ sources: repeat each Source, by combine: ([Observable<any Sendable>]) -> Observable<[any Sendable]>,
    _ transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    // The types, and not the sources: the closure below is held by the sources.
    let types = (repeat (each Source).Element.self)
    var erased: [Observable<any Sendable>] = []
    for source in repeat each sources { erased.append(source.asObservable().map { $0 }) }
    return combine(erased).map { elements in
      var elements = ErasedElements(elements)
      return try transform(repeat elements.read(each types))
    }
  }
}

/// Elements of different types whose types have been erased, read in their order.
@usableFromInline
struct ErasedElements {
  @usableFromInline let elements: [any Sendable]
  @usableFromInline var next = 0

  @inlinable
  init(_ elements: [any Sendable]) {
    self.elements = elements
  }

  /// The next element, which is of this type.
  @inlinable
  mutating func read<Element>(_ type: Element.Type) -> Element {
    defer { next += 1 }
    return elements[next] as! Element
  }
}
