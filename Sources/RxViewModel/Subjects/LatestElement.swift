/// The memory of the one element that a subject replays: two cells that never move.
///
/// One cell holds the current element. The other one is for the next element, so that a thread can make that one in its place and
/// then lets the cells change their roles: nothing is copied. The owner's lock guards which cell is current. One thread at a time
/// uses the other cell, and the same thread may look at the current one without the lock, because no other thread replaces it.
@usableFromInline
final class LatestElement<Element>: ManagedBuffer<LatestElementState, Element> {
  @inlinable
  static func make() -> LatestElement {
    unsafeDowncast(create(minimumCapacity: 2) { _ in LatestElementState() }, to: LatestElement.self)
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

  // The properties of the header, without the check of exclusive access that `header` pays for at run time.

  /// Whether there is a current element. Guarded by the owner's lock.
  @inlinable
  var hasCurrent: Bool { withUnsafeMutablePointerToHeader { $0.pointee.hasCurrent } }

  /// Whether the other cell holds an element: the next one, or the one that was current before.
  @inlinable
  var hasNext: Bool {
    get { withUnsafeMutablePointerToHeader { $0.pointee.hasNext } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.hasNext = newValue } }
  }

  /// Makes the next element of the current one, which it lends to `make`. There must be none.
  @inline(__always)
  @inlinable
  func makeNext(_ make: (borrowing Element) throws -> Element) rethrows {
    try next.initialize(to: make(current.pointee))
    hasNext = true
  }

  /// Makes the next element the current one. The other cell holds the earlier one then, if there is one. Under the owner's lock.
  @inlinable
  func advance() {
    withUnsafeMutablePointerToHeader { state in
      state.pointee.current = 1 - state.pointee.current
      swap(&state.pointee.hasCurrent, &state.pointee.hasNext)
    }
  }

  /// Drops the element in the other cell, if there is one. Without the lock.
  @inlinable
  func dropNext() {
    if !hasNext { return }
    hasNext = false
    next.deinitialize(count: 1)
  }

  /// Moves the elements out, for the caller to drop. Under the owner's lock.
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

@usableFromInline
struct LatestElementState {
  /// 0 or 1.
  @usableFromInline var current = 0
  @usableFromInline var hasCurrent = false
  @usableFromInline var hasNext = false

  @inlinable
  init() {}
}
