import RxViewModel

/// A piece of work that waits in an ``Agenda``: what to do when it is due, or when its scheduler goes before that.
final class VirtualWork: Disposable, @unchecked Sendable {  // Sendable: the variables are the owner's, under its lock.
  /// What a piece of work does, and holds until it does it.
  struct Body {
    /// When it is due.
    let run: @Sendable () -> Void
    /// When the scheduler has gone, which drops the work. Nil: nothing.
    var abandon: (@Sendable () -> Void)?
  }

  let time: Duration
  fileprivate var number: UInt64 = 0
  /// Its place in the heap, while it waits.
  fileprivate var index: Int?
  /// Whether it waits among the work of other threads.
  var isFromElsewhere = false
  fileprivate var body: Body?
  private let owner: VirtualTime

  init(at time: Duration, of owner: VirtualTime, _ body: Body) {
    (self.time, self.owner, self.body) = (time, owner, body)
  }

  func dispose() {
    owner.cancel(self)
  }

  func takeBody() -> Body? {
    body.take()
  }

  fileprivate func isBefore(_ other: VirtualWork) -> Bool {
    (time, number) < (other.time, other.number)
  }
}

/// The work that waits, ordered by time and, at the same instant, by the order of insertion: a binary heap.
///
/// Each piece knows its place, so that disposed work is removed at once. What is taken out is returned rather than
/// dropped, because the caller holds a lock.
struct Agenda {
  private var heap: [VirtualWork] = []
  private var inserted: UInt64 = 0

  var count: Int { heap.count }

  /// When the first piece of work is due.
  var nextTime: Duration? { heap.first?.time }

  /// O(log n).
  mutating func insert(_ work: VirtualWork) {
    inserted += 1
    work.number = inserted
    heap.append(work)
    work.index = heap.count - 1
    moveUp(from: heap.count - 1)
  }

  /// Takes out the first piece of work. O(log n).
  mutating func popFirst() -> VirtualWork.Body? {
    guard let first = heap.first else { return nil }
    return remove(first)
  }

  /// Takes out `work`, unless it waits no more. O(log n).
  mutating func remove(_ work: VirtualWork) -> VirtualWork.Body? {
    guard let index = work.index else { return nil }
    swapAt(index, heap.count - 1)
    heap.removeLast()
    work.index = nil
    if index < heap.count {
      moveUp(from: index)
      moveDown(from: index)
    }
    return work.takeBody()
  }

  /// Takes out everything, in its order. O(n log n).
  mutating func removeAll() -> [VirtualWork] {
    defer { heap = [] }
    for work in heap { work.index = nil }
    return heap.sorted { $0.isBefore($1) }
  }

  private mutating func moveUp(from start: Int) {
    var child = start
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func moveDown(from start: Int) {
    var parent = start
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[first]) {
        first = child
      }
      if first == parent { return }
      swapAt(parent, first)
      parent = first
    }
  }

  private mutating func swapAt(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    (heap[left].index, heap[right].index) = (left, right)
  }
}
