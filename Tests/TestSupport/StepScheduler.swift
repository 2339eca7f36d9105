import RxViewModel

/// A serial queue whose work the test runs, one piece at a time. It ignores delays.
final class StepScheduler: Scheduler {
  private let work = Locked<[@Sendable () -> Void]>([])

  func schedule(_ work: @escaping @Sendable () -> Void) {
    self.work.mutate { $0.append(work) }
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    schedule(work)
    return Disposables.create()
  }

  var isEmpty: Bool { work.value.isEmpty }

  func runNext() {
    let next = work.mutate { $0.isEmpty ? nil : $0.removeFirst() }
    next?()
  }

  func runAll() {
    while !isEmpty { runNext() }
  }

  /// Runs all work, and returns by how much each piece of it has changed the value.
  func changes(of value: () -> Int) -> [Int] {
    var (changes, last) = ([Int](), value())
    while !isEmpty {
      runNext()
      changes.append(value() - last)
      last = value()
    }
    return changes
  }
}
