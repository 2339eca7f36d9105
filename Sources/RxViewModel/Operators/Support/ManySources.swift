/// The state of one subscription to an operator of any number of sources: `combineLatest`, `zip`.
@usableFromInline
protocol ManySourcesState: Sendable {
  associatedtype Element: Sendable

  /// Whether only the completion follows the event that ``combine(_:)`` has returned.
  var isOver: Bool { get }

  /// Handles an event of a source. Returns the event for the subscriber, if there is one.
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
      // Disposed with the subscriptions, so that the handler can tell whether the callback of an element has disposed
      // all.
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

  /// Combines sources of different types, by erasing the types of their elements.
  ///
  /// - Parameter combine: Combines the sources after the types of their elements have been erased.
  @inlinable
  static func combining<each Source: ObservableType>(
    _ sources: repeat each Source, by combine: ([Observable<any Sendable>]) -> Observable<[any Sendable]>,
    _ transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    // Captures the types and not the sources, because the sources retain the closure below.
    let types = (repeat (each Source).Element.self)
    var erased: [Observable<any Sendable>] = []
    for source in repeat each sources { erased.append(source.asObservable().map { $0 }) }
    return combine(erased).map { elements in
      var elements = ErasedElements(elements)
      return try transform(repeat elements.read(each types))
    }
  }
}

/// Reads type-erased elements of different types, in order.
@usableFromInline
struct ErasedElements {
  @usableFromInline let elements: [any Sendable]
  @usableFromInline var next = 0

  @inlinable
  init(_ elements: [any Sendable]) {
    self.elements = elements
  }

  /// Returns the next element. Precondition: it has this type.
  @inlinable
  mutating func read<Element>(_ type: Element.Type) -> Element {
    defer { next += 1 }
    return elements[next] as! Element
  }
}
