import RxViewModel

/// A piece of work in an ``Agenda``, with a closure that runs when it is due, and one that runs if its scheduler is released first.
final class VirtualWork: Disposable, @unchecked Sendable {  // Sendable: the variables are the owner's, under its lock.
  /// The closures of a piece of work. It retains them until it has run.
  struct Body {
    /// Runs when the work is due.
    let run: @Sendable () -> Void
    /// Runs instead of `run` if the release of the scheduler has dropped the work.
    var onDrop: (@Sendable () -> Void)?
    private(set) var origin: (any WorkOrigin)?

    init(run: @escaping @Sendable () -> Void, onDrop: (@Sendable () -> Void)? = nil) {
      (self.run, self.onDrop) = (run, onDrop)
    }

    /// This work, which runs in the context of `origin`.
    func inside(_ origin: (any WorkOrigin)?) -> Body {
      guard let origin else { return self }
      var body = Body(run: { [run] in Taps.$origin.withValue(origin, operation: run) }, onDrop: onDrop)
      body.origin = origin
      return body
    }
  }

  let time: Duration
  /// Whether the work was scheduled with a delay.
  let isTimer: Bool
  fileprivate var number: UInt64 = 0
  /// The work's place in the heap while it waits.
  fileprivate var index: Int?
  /// Whether the work is in the agenda of other threads' work.
  var isFromAnotherThread = false
  fileprivate var body: Body?
  private let owner: VirtualTime

  init(at time: Duration, isTimer: Bool, of owner: VirtualTime, _ body: Body) {
    (self.time, self.isTimer, self.owner, self.body) = (time, isTimer, owner, body)
  }

  /// The context in which the work was scheduled, if a recorder knows it.
  var origin: (any WorkOrigin)? { body?.origin }

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

/// The waiting work, ordered by time and, at the same instant, by insertion: a binary heap.
///
/// Each piece of work knows its place, so that disposed work is removed at once. The methods return the removed work instead of releasing
/// it, because the caller holds a lock.
struct Agenda {
  private var heap: [VirtualWork] = []
  private var inserted: UInt64 = 0

  var count: Int { heap.count }

  /// The time at which the first piece of work is due.
  var nextTime: Duration? { heap.first?.time }

  /// The first time after `time` at which a piece of work is due. O(n) if work is due by then, else O(1).
  func nextTime(after time: Duration) -> Duration? {
    guard let nextTime, nextTime <= time else { return nextTime }
    return heap.lazy.map(\.time).filter { $0 > time }.min()
  }

  /// The first piece of work that matches. O(n).
  func first(where matches: (VirtualWork) -> Bool) -> VirtualWork? {
    heap.lazy.filter(matches).min { $0.isBefore($1) }
  }

  /// Inserts a piece of work. O(log n).
  mutating func insert(_ work: VirtualWork) {
    inserted += 1
    work.number = inserted
    heap.append(work)
    work.index = heap.count - 1
    moveUp(from: heap.count - 1)
  }

  /// Removes the first piece of work. O(log n).
  mutating func popFirst() -> VirtualWork.Body? {
    guard let first = heap.first else { return nil }
    return remove(first)
  }

  /// Removes `work`, unless it no longer waits. O(log n).
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

  /// Removes all work, in its order. O(n log n).
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
