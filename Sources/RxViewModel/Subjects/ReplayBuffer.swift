/// The last elements of a stream, at most `size` of them, as a ring.
@usableFromInline
struct ReplayBuffer<Element: Sendable> {
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

  /// Adds an event's element. Moves the one that has no place any more into `displaced`, for the caller to drop.
  @inline(__always)
  @inlinable
  mutating func append(_ event: borrowing Event<Element>, displaced: inout Element?) {
    event.visit { element in
      append(element, displaced: &displaced)
    } error: { _ in
    } completed: {
    }
  }

  @inline(__always)
  @inlinable
  mutating func append(_ element: borrowing Element, displaced: inout Element?) {
    if items.count < size {
      items.append(copy element)
    } else if size > 0 {
      displaced = copy element
      swap(&displaced!, &items[head])
      head = head + 1 == size ? 0 : head + 1
    }
  }
}
