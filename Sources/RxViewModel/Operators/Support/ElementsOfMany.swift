/// The state of one subscription to `combineLatest` or to `zip` of any number of sources: the elements that will be combined.
@usableFromInline
struct ElementsOfMany<Element: Sendable>: Sendable {
  /// Whether the latest element of each source is kept and combined again. Otherwise each element is combined once.
  @usableFromInline let areKept: Bool
  @usableFromInline var sources: [(elements: Queue<Element>, isCompleted: Bool)]
  /// The numbers of sources without an element, and of completed ones.
  @usableFromInline var (missing, completed): (Int, Int)

  @inlinable
  init(count: Int, areKept: Bool) {
    (self.areKept, sources) = (areKept, Array(repeating: (Queue(), false), count: count))
    (missing, completed) = (count, 0)
  }

  /// Completes when no further array is possible.
  @inlinable
  mutating func receive(_ place: Int, _ event: Event<Element>, _ sink: Sink<[Element]>) throws -> Demand {
    switch event {
    case .next(let element):
      if sources[place].elements.isEmpty { missing -= 1 } else if areKept { _ = sources[place].elements.popFirst() }
      sources[place].elements.append(element)
      if missing > 0 { return .more }
      let combined = sources.map { $0.elements.first! }
      if areKept { return sink.next(combined) }
      for place in sources.indices { removeFirst(place) }
      let isOver = sources.contains { $0.isCompleted && $0.elements.isEmpty }
      return isOver ? sink.finish(with: combined) : sink.next(combined)
    case .error(let error): throw error
    case .completed:
      (sources[place].isCompleted, completed) = (true, completed + 1)
      let isOver = sources[place].elements.isEmpty || areKept && completed == sources.count
      return isOver ? sink.on(.completed) : .more
    }
  }

  @inlinable
  mutating func removeFirst(_ place: Int) {
    _ = sources[place].elements.popFirst()
    if sources[place].elements.isEmpty { missing += 1 }
  }
}
