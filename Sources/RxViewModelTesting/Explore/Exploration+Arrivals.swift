import RxViewModel
import RxViewModelRecording

extension Exploration {
  /// Returns when the explorer lets the answer come. Call it in an effect, in place of waiting for the service.
  ///
  ///     SearchViewModel(scheduler: run.scheduler) { text in
  ///       try await run.arrival("answer to \(text)")
  ///       return [text]
  ///     }
  ///
  /// Throws a `CancellationError` if the task is cancelled, or has been before the call. With `overlapping: true`, a task that is cancelled
  /// while it waits may go on waiting, and return all the same. At the end of the run it throws a `CancellationError`. Async effects run
  /// on the run's scheduler on Apple platforms from macOS 15, iOS 18, tvOS 18 and watchOS 11 on.
  ///
  /// - Parameter label: Names the arrival in the text of a failure.
  public func arrival(_ label: @autoclosure () -> String = "") async throws {
    try Task.checkCancellation()
    let label = label()
    let id = state.withLock { $0.arrivals.makeID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        wait(Arrivals.Waiting(id: id, label: label, continuation: $0, origin: Taps.origin))
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func wait(_ arrival: Arrivals.Waiting) {
    guard isOnItsThread("An arrival") else { return arrival.continuation.resume(throwing: CancellationError()) }
    let isWaiting = state.withLock { !$0.isOver && $0.arrivals.insert(arrival) }
    if isWaiting { return }
    // Cancels the task, so that a loop that waits until its cancellation ends, instead of spinning.
    withUnsafeCurrentTask { $0?.cancel() }
    arrival.continuation.resume(throwing: CancellationError())
  }

  private func cancel(_ id: Int) {
    if isOverlapping, state.withLock({ !$0.isOver && $0.arrivals.canCancel(id) }), choose(among: 2) == 1 {
      return state.withLock { $0.arrivals.ignoreCancellation(of: id) }
    }
    state.withLock { $0.arrivals.cancel(id) }?.continuation.resume(throwing: CancellationError())
  }

  // MARK: Letting arrive

  /// Lets none, some or all of what is pending arrive, in any order.
  ///
  /// Runs what is due on the scheduler first, and again after each arrival. Arrivals that begin to wait meanwhile are pending too. The next
  /// instant at which a timer or a sleep of the scheduler is due counts as one arrival, which comes last in the order of the options.
  public func mayArrive() {
    runDue()
    while !hasFailed {
      let options = pendingCount
      if options == 0 { return }
      let choice = choose(among: options + 1)
      if choice == 0 { return }
      arrive(choice - 1, mayOverlap: true)
    }
  }

  /// Lets everything that is pending arrive, in any order, new arrivals included, until nothing is left.
  ///
  /// Runs what is due on the scheduler first, and again after each arrival. Timers and sleeps are pending too, as for ``mayArrive()``. If
  /// something is left after 10,000 arrivals, the run fails with a message that names the interval that does not end.
  public func allArrive() {
    runDue()
    let limit = 10_000
    for _ in 0..<limit {
      let options = pendingCount
      if options == 0 || hasFailed { return }
      arrive(choose(among: options), mayOverlap: options > 1)
    }
    let now = scheduler.now
    if pendingCount == 0 { return }
    let interval = scheduler.time.nextTime.map { ", and the next timer is due \($0 - now) after the last one" }
    reportMisuse("allArrive() has not ended after 10,000 arrivals, at \(now)\(interval ?? ""): dispose what repeats")
  }

  private var hasFailed: Bool {
    state.withLock { $0.misuse != nil || $0.failedExpectation != nil || $0.tape.fault != nil || $0.isOver }
  }

  /// How many options there are for the next arrival.
  private var pendingCount: Int {
    state.withLock { $0.arrivals.waiting.count } + (scheduler.time.nextTime == nil ? 0 : 1)
  }

  /// Lets one of the pending things arrive, and runs the work that is then due, or leaves that for the next step.
  private func arrive(_ index: Int, mayOverlap: Bool) {
    let arrival = state.withLock { index < $0.arrivals.waiting.count ? $0.arrivals.remove(at: index) : nil }
    guard let arrival else { return advanceToNextTimer() }
    let isLeft = isOverlapping && choose(among: mayOverlap ? 2 : 1) == 1
    let notes = (arrival.isCancelled ? ", though cancelled" : "") + (isLeft ? ", together with what comes next" : "")
    note((arrival.label.isEmpty ? "arrival" : arrival.label) + notes, of: arrival.origin)
    arrival.continuation.resume()
    if !isLeft { runDue() }
  }

  private func advanceToNextTimer() {
    let time = scheduler.time
    guard let next = time.nextTime else { return }
    note("timer at \(next)")
    _ = time.runDue(limit: Self.workLimit)
    if next > time.now { time.advanceTime(to: next) }
    runDue()
  }

  private func note(_ label: String, of origin: (any WorkOrigin)? = nil) {
    state.withLock { $0.labels.append(label) }
    Drawing.current?.note(origin == nil ? "choice" : "answer", label, of: origin)
  }

  private func runDue() {
    guard isOnItsThread("mayArrive() or allArrive()") else { return }
    if !scheduler.time.runDue(limit: Self.workLimit) {
      reportMisuse("The work at \(scheduler.now) has not ended after a million pieces")
    }
  }
}
