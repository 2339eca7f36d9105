/// An event of one of any number of sources.
@usableFromInline
struct SourceInput<Element: Sendable>: Sendable {
  /// The place of the source among the others.
  @usableFromInline let index: Int
  @usableFromInline let event: Event<Element>

  @inlinable
  init(index: Int, event: Event<Element>) {
    self.index = index
    self.event = event
  }
}

extension CompositeDisposable {
  /// Subscribes to sources of one type, in their order.
  @inlinable
  func connect<Element>(_ sources: [Observable<Element>], to serializer: EventSerializer<SourceInput<Element>>) {
    for (index, source) in sources.enumerated() {
      connect(source, to: serializer) { SourceInput(index: index, event: $0) }
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
