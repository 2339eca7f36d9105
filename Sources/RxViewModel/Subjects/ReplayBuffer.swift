/// The last elements of a stream, at most `size` of them: one in a ``LatestElement``, several in a ``Queue``.
@usableFromInline
struct ReplayBuffer<Element: Sendable> {
  /// At most 2³¹ - 1.
  @usableFromInline let capacity: Int32
  /// Nil in a buffer for several elements. May be nil before the first element.
  @usableFromInline var latest: LatestElement<Element>?
  @usableFromInline var queue = Queue<Element>()

  @inlinable
  init(size: Int) {
    capacity = Int32(clamping: size)
  }

  @inlinable
  init(_ element: Element) {
    capacity = 1
    let latest = LatestElement<Element>.make()
    latest.next.initialize(to: element)
    latest.hasNext = true
    latest.advance()
    self.latest = latest
  }

  /// A buffer for one element, whose owner has access to its memory.
  @inlinable
  init(_ latest: LatestElement<Element>) {
    capacity = 1
    self.latest = latest
  }

  @inlinable
  var isEmpty: Bool { count == 0 }

  @inlinable
  var count: Int { latest.map { $0.hasCurrent ? 1 : 0 } ?? queue.count }

  @inlinable
  var last: Element? {
    if let latest { return latest.hasCurrent ? latest.current.pointee : nil }
    return queue.last
  }

  /// The oldest element. Precondition: the buffer is not empty.
  @inlinable
  var first: Element { latest?.current.pointee ?? queue[0] }

  /// The elements, oldest first. O(n).
  @inlinable
  var elements: [Element] {
    if latest != nil { return last.map { [$0] } ?? [] }
    return queue.elements
  }

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
    if capacity == 1 {
      if latest == nil { latest = .make() }
      latest!.next.initialize(to: copy element)
      latest!.hasNext = true
      latest!.advance()
      if latest!.hasNext {
        displaced = latest!.next.move()
        latest!.hasNext = false
      }
    } else if capacity > 0 {
      queue.append(copy element)
      if queue.count > capacity { displaced = queue.popFirst() }
    }
  }
}
