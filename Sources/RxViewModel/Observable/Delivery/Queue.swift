/// First in, first out. Both ends are O(1), amortized.
///
/// The places of the elements that have left are used again when they are more than half of the array. Once the queue is empty, it keeps
/// memory for at most 64 elements.
@usableFromInline
struct Queue<Element> {
  /// Nil in the places of the elements that have left.
  @usableFromInline var places: [Element?] = []
  /// The place of the first element.
  @usableFromInline var head = 0

  @inlinable
  init() {}

  @inlinable
  var count: Int { places.count - head }

  @inlinable
  var isEmpty: Bool { places.count == head }

  @inlinable
  var first: Element? { isEmpty ? nil : places[head] }

  @inlinable
  var last: Element? { isEmpty ? nil : places[places.count - 1] }

  /// Offsets from the first element.
  @inlinable
  var indices: Range<Int> { 0..<count }

  /// The element at an offset from the first. O(1).
  @inlinable
  subscript(offset: Int) -> Element {
    get { places[head + offset]! }
    set { places[head + offset] = newValue }
  }

  @inlinable
  mutating func append(_ element: consuming Element) {
    if head > 16, head * 2 > places.count, places.count == places.capacity {
      places.removeFirst(head)
      head = 0
    }
    places.append(element)
  }

  @inlinable
  mutating func popFirst() -> Element? {
    if isEmpty { return nil }
    let element = places[head].take()
    head += 1
    if isEmpty {
      // One place for each element: destroying the array, or `removeAll(keepingCapacity:)`, costs four times as much.
      while !places.isEmpty { places.removeLast() }
      if places.capacity > 64 { places = [] }
      head = 0
    }
    return element
  }

  /// Returns the element that was first. Precondition: there is one.
  @inlinable
  mutating func replaceFirst(by element: Element) -> Element? {
    var replaced = Optional(element)
    swap(&replaced, &places[head])
    return replaced
  }

  /// O(n).
  @inlinable
  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    places.removeFirst(head)
    head = 0
    places.removeAll { isRemoved($0!) }
  }
}

extension Queue: Sendable where Element: Sendable {}
