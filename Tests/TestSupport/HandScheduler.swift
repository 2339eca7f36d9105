import RxViewModel

/// A scheduler that runs its work when the test calls `run()`, on the calling thread.
final class HandScheduler: Scheduler {
  private let work = Locked<[@Sendable () -> Void]>([])
  private let timers = Locked<[Timer]>([])
  /// Fires each time work is scheduled.
  let scheduled = Signal()

  /// Whether work waits.
  var hasWork: Bool { !work.value.isEmpty }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    self.work.mutate { $0.append(work) }
    scheduled.fire()
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    let timer = Timer(work)
    timers.mutate { $0.append(timer) }
    return timer
  }

  /// Fires all timers, in the order in which they were set.
  func passTime() {
    let due = timers.mutate { timers in
      defer { timers = [] }
      return timers
    }
    for timer in due { timer.fire() }
  }

  private final class Timer: Disposable {
    private let work: Locked<(@Sendable () -> Void)?>

    init(_ work: @escaping @Sendable () -> Void) {
      self.work = Locked(work)
    }

    func fire() {
      work.mutate { $0.take() }?()
    }

    func dispose() {
      _ = work.mutate { $0.take() }
    }
  }

  /// Runs all scheduled work, and the work that this schedules.
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
