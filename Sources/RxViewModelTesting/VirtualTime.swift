import RxViewModel

/// The time of a ``TestScheduler``, and the work that waits for it.
///
/// Waiting work retains operators, view models, tasks, clocks and recorded observables. These retain this object, and not the scheduler.
/// The test retains the scheduler. The release of the scheduler closes this object, which drops the waiting work and so breaks the cycle.
final class VirtualTime: Scheduler {
  private struct State {
    var now = Duration.zero
    var agenda = Agenda()
    /// The work that other threads have scheduled while only ``owner`` may advance the time.
    var agendaOfOtherThreads = Agenda()
    var owner: ThreadID?
    var phase = Phase.open
    /// The thread of an exploration, which counts the work that other threads schedule.
    var explorer: ThreadID?
    var workOfOthers = 0
    /// The tasks that effects have begun and that have not ended, in their order.
    var tasks: [EffectTask] = []

    mutating func insert(_ work: VirtualWork) {
      if explorer != nil, explorer != ThreadID.current { workOfOthers += 1 }
      work.isFromAnotherThread = owner != nil && owner != ThreadID.current
      if work.isFromAnotherThread { agendaOfOtherThreads.insert(work) } else { agenda.insert(work) }
    }

    mutating func remove(_ work: VirtualWork) -> VirtualWork.Body? {
      work.isFromAnotherThread ? agendaOfOtherThreads.remove(work) : agenda.remove(work)
    }

    /// Ends the ownership, and moves the work that other threads have scheduled into the agenda.
    mutating func endOwnership() {
      owner = nil
      for work in agendaOfOtherThreads.removeAll() { insert(work) }
    }
  }

  /// Which work the time accepts.
  enum Phase {
    case open
    /// Work that is due now, so that tasks can end: an exploration ends a run.
    case draining
    /// None: the scheduler has been released.
    case closed
  }

  private let state = Lock(State())
  /// The scheduler that the user holds. Its `init` sets this.
  nonisolated(unsafe) weak var scheduler: TestScheduler?

  var now: Duration {
    state.withLock { $0.now }
  }

  var pendingCount: Int {
    state.withLock { $0.agenda.works.count + $0.agendaOfOtherThreads.works.count }
  }

  /// Whether no sleep is possible any more.
  var isEnding: Bool {
    state.withLock { $0.phase != .open }
  }

  // MARK: Scheduling

  func schedule(_ work: @escaping @Sendable () -> Void) {
    schedule(after: nil, VirtualWork.Body(run: work))
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    schedule(after: delay, VirtualWork.Body(run: work)) ?? Disposables.create()
  }

  /// Schedules work. After the release of the scheduler it abandons the work immediately, and returns nil.
  ///
  /// - Parameter delay: Nil if the work is no timer. A delay of zero is one.
  @discardableResult
  func schedule(after delay: Duration?, _ body: VirtualWork.Body) -> VirtualWork? {
    // A delay longer than any test needs is cut off, so that the sum of two doesn't overflow.
    let most = Duration.seconds(1 << 62)
    return schedule(body, isTimer: delay != nil) { max($0, min($0 + min(max(delay ?? .zero, .zero), most), most)) }
  }

  /// Schedules work for a time. A time that has passed counts as now.
  func schedule(at time: Duration, _ body: VirtualWork.Body) -> VirtualWork? {
    schedule(body, isTimer: true) { max($0, time) }
  }

  private func schedule(
    _ body: VirtualWork.Body, isTimer: Bool, _ time: (_ now: Duration) -> Duration
  ) -> VirtualWork? {
    let (origin, action) = (Taps.origin, EffectTasks.action)
    let work = state.withLock { state -> VirtualWork? in
      let due = time(state.now)
      if state.phase == .closed || (state.phase == .draining && due > state.now) { return nil }
      let work = VirtualWork(at: due, isTimer: isTimer, of: self, body.inside(origin, action))
      state.insert(work)
      return work
    }
    if work == nil { body.onDrop?() }
    return work
  }

  /// Removes work, and returns its closures unless it has run.
  func remove(_ work: VirtualWork) -> VirtualWork.Body? {
    state.withLock { $0.remove(work) }
  }

  /// Abandons the waiting work, and all work that is scheduled from now on.
  func close() { enter(.closed) }

  /// Enters a phase, and drops the work that it does not accept.
  private func enter(_ phase: Phase) {
    let dropped = state.withLock { state in
      state.phase = phase
      state.endOwnership()
      let works = state.agenda.removeAll()
      let kept = phase == .draining ? works.prefix { $0.time <= state.now } : []
      for work in kept { state.agenda.insert(work) }
      return works.dropFirst(kept.count).map { $0.takeBody() }
    }
    for body in dropped { body?.onDrop?() }
  }

  // MARK: Running

  /// Runs the next piece of work if it is due by `target`; nil means without limit. Returns false if there is none.
  func runNext(until target: Duration? = nil) -> Bool {
    let body = state.withLock { state -> VirtualWork.Body? in
      guard let time = state.agenda.nextTime, target.map({ time <= $0 }) ?? true else { return nil }
      state.now = max(state.now, time)
      return state.agenda.popFirst()
    }
    body?.run()
    return body != nil
  }

  /// Runs the first piece of work that matches, before other work that is due earlier. Returns false if there is none.
  func runFirst(where matches: (VirtualWork) -> Bool) -> Bool {
    let body = state.withLock { state -> VirtualWork.Body? in
      guard let work = state.agenda.works.first(where: matches) else { return nil }
      state.now = max(state.now, work.time)
      return state.agenda.remove(work)
    }
    body?.run()
    return body != nil
  }

  /// Traps after `limit` pieces of work at one instant, if more is due then.
  func advance(by duration: Duration, limit: Int = 1_000_000) {
    require(pass(duration, limit: limit), "TestScheduler.advance: \(endlessness(limit))")
  }

  /// Advances the time. Returns false after `limit` pieces of work at one instant, if more is due then.
  func pass(_ duration: Duration, limit: Int) -> Bool {
    let target = now + max(duration, .zero)
    let hasEnded = atWork {
      var (instant, count) = (now, 0)
      repeat {
        if now > instant { (instant, count) = (now, 1) }
        if count >= limit, isDue(at: instant) { return false }
        count += 1
      } while runNext(until: target)
      return true
    }
    if hasEnded { reach(target) }
    return hasEnded
  }

  /// What is wrong after so many pieces of work at one instant.
  func endlessness(_ limit: Int) -> String {
    "\(limit) pieces of work at \(now), and more is due then: does work schedule itself again without a delay?"
  }

  /// Makes it this time, unless it is later. Runs nothing.
  func reach(_ time: Duration) { state.withLock { $0.now = max($0.now, time) } }

  private func isDue(at instant: Duration) -> Bool {
    state.withLock { $0.agenda.nextTime.map { $0 <= instant } ?? false }
  }

  /// Advances the time without the work that other threads schedule meanwhile, which waits for the next call.
  ///
  /// So the result of the call does not depend on the speed of the other threads.
  func passAlone(_ duration: Duration, limit: Int) -> Bool {
    state.withLock { $0.owner = ThreadID.current }
    defer { state.withLock { $0.endOwnership() } }
    return pass(duration, limit: limit)
  }

  func begin(_ task: EffectTask) { state.withLock { $0.tasks.append(task) } }

  func end(_ task: EffectTask) { state.withLock { $0.tasks.removeAll { $0 === task } } }

  /// The tasks that wait for something that this scheduler doesn't know. The one that calls this doesn't wait.
  var tasksOutside: [EffectTask] {
    let (tasks, isDue) = state.withLock { state in
      let thread = ThreadID.current
      return (state.tasks, state.agenda.works.contains { $0.time <= state.now && $0.jobOf == thread })
    }
    let running = EffectTasks.current
    return isDue ? [] : tasks.filter { $0.isOutside && $0 !== running }
  }

  var hasTasks: Bool { state.withLock { !$0.tasks.isEmpty } }

  /// The tasks that wait in `perform`, if that may end in virtual time only.
  var performing: [EffectTask] {
    tasksOutside.isEmpty ? state.withLock { $0.tasks }.filter { $0.performed != nil } : []
  }

  /// Calls `body` with this object as the executor of the tasks that it starts.
  func atWork<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *) else { return try body() }
    return try ObservableTasks.$executor.withValue(self, operation: body)
  }
}

// MARK: For an exploration

extension VirtualTime {
  /// The first time after now at which work is due.
  var nextTime: Duration? {
    state.withLock { $0.agenda.nextTime(after: $0.now) }
  }

  /// Whether another thread than the exploration's has scheduled work.
  var hasWorkOfOthers: Bool {
    state.withLock { $0.workOfOthers > 0 }
  }

  /// Counts the work that threads other than the calling one schedule from now on.
  func beginExploration() {
    state.withLock { $0.explorer = ThreadID.current }
  }

  /// Runs the work that is due now. Returns false if more is due after `limit` pieces of work.
  func runDue(limit: Int) -> Bool {
    for _ in 0..<limit {
      guard runNext(until: now) else { return true }
    }
    return false
  }

  /// Abandons the work that is not due now, and all such work that is scheduled from now on. Runs what is due now, so that tasks end.
  ///
  /// Returns false if more is due after `limit` pieces of work.
  func drain(limit: Int) -> Bool {
    enter(.draining)
    return runDue(limit: limit)
  }
}

extension VirtualTime: SchedulerReference {
  package var owner: (any Scheduler)? { scheduler }
}
