/// A binary heap of timers, ordered by deadline and, for equal deadlines, by insertion. A timer knows its place in the heap, so that it can
/// be removed in O(log n).
struct TimerHeap {
  private var timers: [QueueTimer] = []
  private var inserted: UInt64 = 0

  /// The earliest timer. O(1).
  var first: QueueTimer? { timers.first }

  /// Inserts a timer. O(log n), and O(1) for a timer that is later than all others.
  mutating func insert(_ timer: QueueTimer) {
    inserted += 1
    timer.number = inserted
    timers.append(timer)
    timer.index = timers.count - 1
    moveUp(timers.count - 1)
  }

  /// Removes a timer. Does nothing if the timer is not in the heap. O(log n), amortized.
  mutating func remove(_ timer: QueueTimer) {
    guard let index = timer.index else { return }
    timer.index = nil
    let last = timers.removeLast()
    if last !== timer {
      place(last, at: index)
      moveUp(index)
      moveDown(index)
    }
    // Releases memory after the number of timers has decreased.
    if timers.capacity > 256, timers.count * 4 < timers.capacity { timers = timers.map { $0 } }
  }

  private mutating func place(_ timer: QueueTimer, at index: Int) {
    timers[index] = timer
    timer.index = index
  }

  private mutating func moveUp(_ start: Int) {
    let timer = timers[start]
    var index = start
    while index > 0, timer.isBefore(timers[(index - 1) / 2]) {
      place(timers[(index - 1) / 2], at: index)
      index = (index - 1) / 2
    }
    if index != start { place(timer, at: index) }
  }

  private mutating func moveDown(_ start: Int) {
    let timer = timers[start]
    var index = start
    while true {
      var child = 2 * index + 1
      if child >= timers.count { break }
      if child + 1 < timers.count, timers[child + 1].isBefore(timers[child]) { child += 1 }
      if !timers[child].isBefore(timer) { break }
      place(timers[child], at: index)
      index = child
    }
    if index != start { place(timer, at: index) }
  }
}
