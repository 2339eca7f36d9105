import RxViewModel

/// Runs what it is given when it is told to, on the thread that tells it.
final class HandScheduler: Scheduler {
  private let work = Locked<[@Sendable () -> Void]>([])
  private let timers = Locked<[Timer]>([])
  /// Fires each time that something has been scheduled.
  let scheduled = Signal()

  /// Whether something waits to be run.
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

  /// Lets the time of all timers be over, in the order in which they were set.
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
