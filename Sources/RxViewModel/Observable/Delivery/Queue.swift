/// First in, first out, O(1) at both ends (amortised), and small again once it has been emptied.
@usableFromInline
struct Queue<Element> {
  @usableFromInline var items: [Element?] = []
  @usableFromInline var head = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { head == items.count }

  @inlinable
  var count: Int { items.count - head }

  @inlinable
  mutating func append(_ element: Element) {
    items.append(element)
  }

  /// Nothing is dropped here but the room that earlier elements have left empty.
  @inlinable
  mutating func popFirst() -> Element? {
    if head == items.count { return nil }
    var element: Element?
    swap(&element, &items[head])
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: items.capacity <= 64)
      head = 0
    } else if head >= 64, head * 2 >= items.count {
      items.removeFirst(head)
      head = 0
    }
    return element
  }
}

extension Queue: Sendable where Element: Sendable {}

extension Queue {
  @inlinable
  var first: Element? { isEmpty ? nil : items[head] }

  /// O(n).
  @inlinable
  var elements: [Element] { items[head...].map { $0! } }

  /// O(n).
  @inlinable
  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    items = items[head...].filter { !isRemoved($0!) }
    head = 0
  }
}

extension Queue {
  /// Offsets from the first element.
  @inlinable
  var indices: Range<Int> { 0..<count }

  /// The element at an offset from the first. O(1).
  @inlinable
  subscript(offset: Int) -> Element {
    get { items[head + offset]! }
    set { items[head + offset] = newValue }
  }
}
