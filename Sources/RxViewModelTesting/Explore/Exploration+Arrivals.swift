import RxViewModel
import RxViewModelRecording

extension Exploration {
  /// Waits until the explorer lets the answer arrive. Call it in an effect, instead of waiting for the service.
  ///
  ///     SearchViewModel(scheduler: run.scheduler) { text in
  ///       try await run.arrival("answer to \(text)")
  ///       return [text]
  ///     }
  ///
  /// Throws a `CancellationError` if the task is cancelled, or was cancelled before the call, and at the end of the run. With
  /// `overlapping: true`, a task that is cancelled while it waits may go on waiting, and return all the same. On Apple platforms, async
  /// effects run on the run's scheduler from macOS 15, iOS 18, tvOS 18 and watchOS 11 on.
  ///
  /// - Parameter label: Names the arrival in the text of a failure.
  public func arrival(_ label: String = "") async throws {
    try Task.checkCancellation()
    try await wait(for: Arrival(label, of: Taps.origin))
  }

  func wait(for arrival: Arrival) async throws {
    let endWaiting = EffectTasks.current?.beginWaiting(for: nil)
    defer { endWaiting?() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(arrival, $0) }
    } onCancel: {
      cancel(arrival)
    }
  }

  private func wait(_ arrival: Arrival, _ continuation: CheckedContinuation<Void, any Error>) {
    guard checkThread(of: "An arrival") else { return continuation.resume(throwing: CancellationError()) }
    let isWaiting = state.withLock { state in
      if state.isOver || arrival.isCancelled { return false }
      arrival.continuation = continuation
      state.arrivals.append(arrival)
      return true
    }
    if isWaiting { return }
    // Cancels the task, so that a loop that waits until its cancellation ends, instead of spinning.
    withUnsafeCurrentTask { $0?.cancel() }
    continuation.resume(throwing: CancellationError())
  }

  /// Ends an arrival whose task has been cancelled. With `overlapping`, that is a choice: it may go on waiting. A request that changes
  /// something may reach the server all the same.
  private func cancel(_ arrival: Arrival) {
    let isFirst = state.withLock { state in
      defer { arrival.isCancelled = true }
      return !state.isOver && arrival.continuation != nil && !arrival.isCancelled
    }
    var isGone = true
    switch arrival.kind {
    case _ where !isFirst: break
    case .answer: if options.isOverlapping, choose(among: 2) == 1 { return }
    case .request(let name, let changes, _): if changes { isGone = isLost(name) }
    case .end: break
    }
    let continuation = state.withLock { state in
      if isGone { state.arrivals.removeAll { $0 === arrival } }
      return arrival.continuation.take()
    }
    continuation?.resume(throwing: CancellationError())
  }

  // MARK: Letting arrive

  /// Lets none, some or all of what is pending arrive, in any order.
  ///
  /// Before the first arrival, and after each one, it runs the work that is due on the scheduler. Arrivals that begin to wait meanwhile are
  /// pending too. The next instant at which a timer or a sleep of the scheduler is due counts as one arrival, the last one among the
  /// options.
  public func mayArrive() {
    runDue()
    while !isStopped {
      let options = pendingCount
      if options == 0 { return }
      let choice = choose(among: options + 1)
      if choice == 0 { return }
      arrive(choice - 1, mayOverlap: true)
    }
  }

  /// Lets everything that is pending arrive, in any order, new arrivals included, until nothing is left.
  ///
  /// Before the first arrival, and after each one, it runs the work that is due on the scheduler. Timers and sleeps are pending too, as for
  /// ``mayArrive()``. If something is left after 10,000 arrivals, the run fails: perhaps an interval doesn't end.
  public func allArrive() {
    runDue()
    for _ in 0..<10_000 {
      let options = pendingCount
      if options == 0 || isStopped { return }
      arrive(choose(among: options), mayOverlap: options > 1)
    }
    if pendingCount == 0 { return }
    reportMisuse("allArrive() has not ended after 10,000 arrivals, at \(scheduler.now): dispose what repeats")
  }

  /// Whether the run makes no more arrivals: it has failed, shows nothing, or is over.
  private var isStopped: Bool {
    state.withLock { $0.misuse != nil || $0.failedExpectation != nil || $0.tape.fault != nil || $0.isOver }
  }

  /// How many options there are for the next arrival.
  private var pendingCount: Int { state.withLock { $0.pending.count } + (scheduler.time.nextTime == nil ? 0 : 1) }

  /// Lets one of the pending things arrive, and runs the work that is then due, or leaves that for the next step.
  private func arrive(_ index: Int, mayOverlap: Bool) {
    let next = state.withLock { state -> (arrival: Arrival, continuation: CheckedContinuation<Void, any Error>?)? in
      let pending = state.pending
      guard index < pending.count else { return nil }
      let arrival = state.arrivals.remove(at: pending[index])
      if case .end(let request?) = arrival.kind { state.arrivals.append(request) }
      return (arrival, arrival.continuation.take())
    }
    guard let (arrival, continuation) = next else { return advanceToNextTimer() }
    let isLeft = options.isOverlapping && choose(among: mayOverlap ? 2 : 1) == 1
    let notes = (arrival.isCancelled ? ", though cancelled" : "") + (isLeft ? ", together with what comes next" : "")
    let label = (arrival.label.isEmpty ? "arrival" : arrival.label) + notes
    if case .request(_, _, let handle) = arrival.kind {
      drawing?.handle(label)
      handle()
    } else {
      drawing?.note(arrival.origin == nil ? "choice" : "answer", label, of: arrival.origin)
    }
    continuation?.resume()
    if !isLeft { runDue() }
  }

  private func advanceToNextTimer() {
    let time = scheduler.time
    guard let next = time.nextTime else { return }
    drawing?.note("choice", "timer at \(next)")
    _ = time.pass(next - time.now, limit: Self.workLimit)
    runDue()
  }

  private func runDue() {
    guard checkThread(of: "mayArrive() or allArrive()") else { return }
    if !scheduler.time.runDue(limit: Self.workLimit) {
      reportMisuse("The work at \(scheduler.now) has not ended after a million steps")
    }
    var stuck: (performing: [EffectTask], outside: [String]) = ([], [])
    if scheduler.time.hasTasks, pendingCount == 0 {
      stuck = (scheduler.time.performing, scheduler.time.linesAboutTasksOutside)
    }
    state.withLock { swap(&$0.stuck, &stuck) }
  }
}
