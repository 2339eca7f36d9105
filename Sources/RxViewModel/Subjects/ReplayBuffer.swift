/// The last elements of a stream, at most `capacity` of them.
@usableFromInline
struct ReplayBuffer<Element: Sendable> {
  /// At most 2³¹ - 1.
  @usableFromInline let capacity: Int32
  @usableFromInline var last: Element?
  /// The elements before the last one.
  @usableFromInline var earlier = Queue<Element>()

  @inlinable
  init(size: Int, _ last: Element? = nil) {
    capacity = Int32(clamping: size)
    self.last = last
  }

  @inlinable
  var count: Int { last == nil ? 0 : earlier.count + 1 }

  /// The oldest element.
  @inlinable
  var first: Element? { earlier.first ?? last }

  /// The elements, oldest first. O(n).
  @inlinable
  var elements: [Element] { earlier.elements + (last.map { [$0] } ?? []) }

  /// Adds an event's element. Moves the displaced element into `displaced`, so that the caller can release it outside
  /// the lock.
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
    if capacity == 0 { return }
    displaced = copy element
    swap(&displaced, &last)
    if capacity == 1 { return }
    if let previous = displaced.take() { earlier.append(previous) }
    if earlier.count == capacity { displaced = earlier.popFirst() }
  }
}
