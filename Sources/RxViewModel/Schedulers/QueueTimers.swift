import Dispatch

/// The timers of all dispatch queues: a heap of timers, and one Dispatch timer that is set for the earliest.
///
/// `asyncAfter` retains its closure until the deadline. A `DispatchSource` for each timer is expensive to make, and its
/// queue releases it late. A timer in this heap is a small object, which is released when it is disposed.
///
/// Adding a timer that is not the earliest, or disposing a timer, does not change the Dispatch timer. If the Dispatch timer fires too
/// early, it is set again for the earliest timer.
final class QueueTimers: @unchecked Sendable {  // Sendable: the lock; the Dispatch timer may be set from any thread.
  static let shared = QueueTimers()

  struct State {
    var heap = TimerHeap()
    /// The time that the Dispatch timer is set for: no later than the earliest timer of the heap.
    var alarmTime = DispatchTime.distantFuture
  }

  /// Guards the variables of each ``QueueTimer`` too.
  private let state = Lock(State())
  private let alarm = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "RxViewModel.QueueTimers"))

  private init() {
    alarm.setEventHandler { [unowned self] in startDueTimers() }
    alarm.activate()
  }

  /// Schedules work. A timer whose deadline is `distantFuture` never fires, and is not in the heap.
  func schedule(at deadline: DispatchTime, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void)
    -> QueueTimer
  {
    let timer = QueueTimer(deadline: deadline, job: QueueTimer.Job(queue: queue, work: work))
    if deadline == .distantFuture { return timer }
    state.withLock { state in
      state.heap.insert(timer)
      if deadline < state.alarmTime { setAlarm(&state) }
    }
    return timer
  }

  /// Removes the timer from the heap, and returns its work; nil if the work has been taken before.
  fileprivate func take(_ timer: QueueTimer) -> QueueTimer.Job? {
    state.withLock { state in
      state.heap.remove(timer)
      return timer.job.take()
    }
  }

  /// Runs when the Dispatch timer fires.
  private func startDueTimers() {
    let now = DispatchTime.now()
    while let (timer, queue) = nextDueTimer(now) { queue.async { timer.run() } }
  }

  /// Removes and returns the next due timer. If there is none, sets the Dispatch timer again and returns nil.
  private func nextDueTimer(_ now: DispatchTime) -> (timer: QueueTimer, queue: DispatchQueue)? {
    state.withLock { state in
      guard let first = state.heap.first, first.deadline <= now, let queue = first.job?.queue else {
        setAlarm(&state)
        return nil
      }
      state.heap.remove(first)
      return (first, queue)
    }
  }

  /// Sets the Dispatch timer for the earliest timer. Called with the lock held, so that the last call sees the current state.
  private func setAlarm(_ state: inout State) {
    state.alarmTime = state.heap.first?.deadline ?? .distantFuture
    if state.alarmTime < .distantFuture { alarm.schedule(deadline: state.alarmTime, leeway: .nanoseconds(0)) }
  }
}

/// Work that waits for its deadline on a queue, and the disposable that drops it.
final class QueueTimer: Disposable, @unchecked Sendable {  // Sendable: the lock of `QueueTimers` guards what varies.
  struct Job {
    let queue: DispatchQueue
    let work: @Sendable () -> Void
  }

  let deadline: DispatchTime
  /// Nil once the work has run or has been dropped, so that the timer does not retain the queue.
  @exclusivity(unchecked) fileprivate(set) var job: Job?
  /// The timer's place in the heap. Only the heap sets it.
  @exclusivity(unchecked) var index: Int?
  /// Orders timers with the same deadline. Only the heap sets it.
  @exclusivity(unchecked) var number: UInt64 = 0

  init(deadline: DispatchTime, job: Job) {
    self.deadline = deadline
    self.job = job
  }

  func run() {
    QueueTimers.shared.take(self)?.work()
  }

  func dispose() {
    _ = QueueTimers.shared.take(self)
  }

  func isBefore(_ other: QueueTimer) -> Bool {
    deadline == other.deadline ? number < other.number : deadline < other.deadline
  }
}
