/// The last elements of a stream, at most `size` of them, as a ring.
@usableFromInline
struct ReplayBuffer<Element> {
  @usableFromInline let size: Int
  @usableFromInline var items: [Element]
  /// The oldest, once the ring is full.
  @usableFromInline var head = 0

  @inlinable
  init(size: Int, _ items: [Element] = []) {
    self.size = size
    self.items = items
  }

  @inlinable
  var isEmpty: Bool { items.isEmpty }

  @inlinable
  var last: Element? {
    head == 0 ? items.last : items[head - 1]
  }

  /// Oldest first. O(n).
  @inlinable
  var elements: [Element] {
    head == 0 ? items : Array(items[head...] + items[..<head])
  }

  /// Moves the element that has no place any more into `displaced`, for the caller to drop.
  @inlinable
  mutating func append(_ element: Element, displaced: inout Element?) {
    if items.count < size {
      items.append(element)
    } else if size > 0 {
      displaced = element
      swap(&displaced!, &items[head])
      head = head + 1 == size ? 0 : head + 1
    }
  }
}
