/// The memory of the one element that a subject replays: two cells that never move.
///
/// One cell holds the current element. A thread makes the next element in the other cell, and then swaps the roles of the cells, so that it
/// copies no element. The owner's lock guards which cell is current. Only one thread at a time uses the other cell. That thread may read
/// the current element without the lock, because no other thread replaces it.
@usableFromInline
final class LatestElement<Element>: ManagedBuffer<LatestElementState, Element> {
  @inlinable
  static func make() -> LatestElement {
    unsafeDowncast(create(minimumCapacity: 2) { _ in (0, false, false) }, to: LatestElement.self)
  }

  @inlinable
  deinit {
    withUnsafeMutablePointers { state, cells in
      if state.pointee.hasCurrent { (cells + state.pointee.current).deinitialize(count: 1) }
      if state.pointee.hasNext { (cells + (1 - state.pointee.current)).deinitialize(count: 1) }
    }
  }

  /// The cell of the current element.
  @inline(__always)
  @inlinable
  var current: UnsafeMutablePointer<Element> {
    withUnsafeMutablePointers { state, cells in cells + state.pointee.current }
  }

  /// The cell of the next element.
  @inline(__always)
  @inlinable
  var next: UnsafeMutablePointer<Element> {
    withUnsafeMutablePointers { state, cells in cells + (1 - state.pointee.current) }
  }

  // The properties of the header, without the run-time exclusivity check of `header`.

  /// Whether there is a current element. Guarded by the owner's lock.
  @inlinable
  var hasCurrent: Bool { withUnsafeMutablePointerToHeader { $0.pointee.hasCurrent } }

  /// Whether the other cell holds an element: the next one, or the one that was current before.
  @inlinable
  var hasNext: Bool {
    get { withUnsafeMutablePointerToHeader { $0.pointee.hasNext } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.hasNext = newValue } }
  }

  /// Makes the next element from the current one, which `make` borrows. Precondition: there is no next element.
  @inline(__always)
  @inlinable
  func makeNext(_ make: (borrowing Element) throws -> Element) rethrows {
    try next.initialize(to: make(current.pointee))
    hasNext = true
  }

  /// Makes the next element the current one. Afterwards the other cell holds the previous one, if there is one. Called with the owner's
  /// lock held.
  @inlinable
  func advance() {
    withUnsafeMutablePointerToHeader { state in
      state.pointee.current = 1 - state.pointee.current
      swap(&state.pointee.hasCurrent, &state.pointee.hasNext)
    }
  }

  /// Releases the element in the other cell, if there is one. Called without the lock.
  @inlinable
  func dropNext() {
    if !hasNext { return }
    hasNext = false
    next.deinitialize(count: 1)
  }

  /// Moves the elements out, so that the caller can release them outside the lock. Called with the owner's lock held.
  @inlinable
  func removeAll() -> (Element?, Element?) {
    withUnsafeMutablePointers { state, cells in
      let first = state.pointee.hasCurrent ? (cells + state.pointee.current).move() : nil
      let second = state.pointee.hasNext ? (cells + (1 - state.pointee.current)).move() : nil
      state.pointee.hasCurrent = false
      state.pointee.hasNext = false
      return (first, second)
    }
  }
}

/// `current` is the place of the current element, 0 or 1.
@usableFromInline typealias LatestElementState = (current: Int, hasCurrent: Bool, hasNext: Bool)
