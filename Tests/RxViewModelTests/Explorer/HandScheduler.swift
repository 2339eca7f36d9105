import RxViewModel

/// Runs what it is given when it is told to, on the thread that tells it.
final class HandScheduler: Scheduler {
  private let work = Locked<[@Sendable () -> Void]>([])
  /// Fires each time that something has been scheduled.
  let scheduled = Signal()

  func schedule(_ work: @escaping @Sendable () -> Void) {
    self.work.mutate { $0.append(work) }
    scheduled.fire()
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
