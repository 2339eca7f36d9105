import RxViewModel

/// Runs what it is given when it is told to, on the thread that tells it.
final class HandScheduler: Scheduler {
  private let work = Locked<[@Sendable () -> Void]>([])

  func schedule(_ work: @escaping @Sendable () -> Void) {
    self.work.mutate { $0.append(work) }
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    schedule(work)
    return Disposables.create()
  }

  /// Runs what has been scheduled, and what that schedules.
  func run() {
    while true {
      let due = work.mutate { work in
        defer { work = [] }
        return work
      }
      if due.isEmpty { return }
      for work in due { work() }
    }
  }
}
