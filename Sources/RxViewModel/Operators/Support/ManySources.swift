/// An event of one of any number of sources, with the place of the source among the others.
@usableFromInline typealias SourceInput<Element: Sendable> = (index: Int, event: Event<Element>)

extension Observable {
  /// Combines sources of one type. Subscribes to them in their order; without a source the stream completes at once.
  ///
  /// - Parameter makeState: Makes the state of a subscription from the number of sources.
  @inlinable
  static func combining<Part, State: CombiningState>(
    _ sources: [some ObservableType<Part>], _ makeState: @escaping @Sendable (_ count: Int) -> State
  ) -> Observable<[Part]> where State.Input == SourceInput<Part>, State.Output == [Part] {
    if sources.isEmpty { return .empty() }
    let sources = sources.map { $0.asObservable() }
    return Observable<[Part]> { sink, scope in
      let serial = scope.serial(makeState(sources.count), sink)
      for (index, source) in sources.enumerated() {
        scope.connect(source, to: serial) { (index, $0) }
      }
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
