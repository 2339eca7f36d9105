import RxViewModel

/// Work to be run once, unless it is disposed before.
final class VirtualWork: Disposable {
  private let work: Lock<(@Sendable () -> Void)?>
  private let onDrop: @Sendable () -> Void

  /// - Parameter onDrop: runs when it is disposed before it has run.
  init(_ work: @escaping @Sendable () -> Void, onDrop: @escaping @Sendable () -> Void) {
    self.work = Lock(work)
    self.onDrop = onDrop
  }

  func run() {
    take()?()
  }

  func dispose() {
    if take() != nil { onDrop() }
  }

  /// Whether there is nothing left to run.
  var isDropped: Bool {
    work.withLock { $0 == nil }
  }

  private func take() -> (@Sendable () -> Void)? {
    work.withLock { $0.take() }
  }
}

/// A binary heap of work, ordered by time and, at the same instant, by the order of insertion.
struct Agenda {
  private struct Entry {
    let time: Duration
    let number: UInt64
    let work: VirtualWork

    func isBefore(_ other: Entry) -> Bool {
      (time, number) < (other.time, other.number)
    }
  }

  private var heap: [Entry] = []
  private var inserted: UInt64 = 0
  /// How many in the heap have been disposed.
  private var dropped = 0

  var count: Int { heap.count }

  /// O(log n).
  mutating func insert(_ work: VirtualWork, at time: Duration) {
    inserted += 1
    heap.append(Entry(time: time, number: inserted, work: work))
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes out the first work that has not been disposed, if it is due by `target`; nil stands for ever. O(log n).
  mutating func popFirst(until target: Duration?) -> (work: VirtualWork, time: Duration)? {
    while heap.first?.work.isDropped == true {
      _ = removeFirst()
      dropped -= 1
    }
    guard let first = heap.first, target.map({ first.time <= $0 }) ?? true else { return nil }
    return removeFirst()
  }

  /// Makes room once half of the heap has been disposed. O(log n), amortised.
  mutating func workWasDropped() {
    dropped += 1
    if dropped < 32 || dropped * 2 < heap.count { return }
    heap.removeAll { $0.work.isDropped }
    heap.sort { $0.isBefore($1) }
    dropped = 0
  }

  private mutating func removeFirst() -> (work: VirtualWork, time: Duration) {
    let first = heap[0]
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      let children = (2 * parent + 1..<2 * parent + 3).filter { $0 < heap.count }
      guard let child = children.min(by: { heap[$0].isBefore(heap[$1]) }), heap[child].isBefore(heap[parent]) else {
        break
      }
      heap.swapAt(parent, child)
      parent = child
    }
    return (first.work, first.time)
  }
}
