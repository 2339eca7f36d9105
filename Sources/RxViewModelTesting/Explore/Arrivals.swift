import RxViewModel

/// The arrivals that wait, in the order in which they began to wait.
struct Arrivals {
  /// A task that waits in ``Exploration/arrival(_:)``.
  struct Waiting {
    let id: Int
    let label: String
    let continuation: CheckedContinuation<Void, any Error>
    /// The effect that waits, if the run is drawn.
    let origin: (any WorkOrigin)?
    /// Whether the task has been cancelled and waits all the same.
    var isCancelled = false
  }

  private(set) var waiting: [Waiting] = []
  private var lastID = 0
  /// The arrivals that were cancelled before they began to wait.
  private var cancelled: Set<Int> = []

  mutating func makeID() -> Int {
    lastID += 1
    return lastID
  }

  /// Returns false if the arrival has been cancelled meanwhile, and does not wait.
  mutating func insert(_ arrival: Waiting) -> Bool {
    if cancelled.remove(arrival.id) != nil { return false }
    waiting.append(arrival)
    return true
  }

  /// Whether the arrival waits and has not been cancelled.
  func canCancel(_ id: Int) -> Bool {
    waiting.contains { $0.id == id && !$0.isCancelled }
  }

  /// Removes an arrival whose task has been cancelled. Nil if it does not wait yet: then it will not.
  mutating func cancel(_ id: Int) -> Waiting? {
    if let index = waiting.firstIndex(where: { $0.id == id }) { return waiting.remove(at: index) }
    cancelled.insert(id)
    return nil
  }

  /// Lets an arrival wait although its task has been cancelled.
  mutating func ignoreCancellation(of id: Int) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting[index].isCancelled = true
  }

  mutating func remove(at index: Int) -> Waiting {
    waiting.remove(at: index)
  }

  mutating func removeAll() -> [Waiting] {
    defer { waiting = [] }
    return waiting
  }
}
