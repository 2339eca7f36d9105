import RxViewModel

/// The actions that have not ended, as a list for the text of a failure.
struct UnfinishedActions {
  let lines: [String]

  var isEmpty: Bool { lines.isEmpty }

  var headline: String {
    lines.count == 1 ? "1 action has not ended" : "\(lines.count) actions have not ended"
  }
}

extension TestStore {
  /// Returns the actions that the view model has accepted and that have not ended. Runs the work that is due now.
  func unfinishedActions() -> UnfinishedActions {
    let accepted = Lock<[Action]>([])
    // A cancellation calls its predicate with every unfinished action, even those that have not started (contract 2.11). This predicate
    // matches none.
    viewModel?.cancelActions { action in
      accepted.withLock { $0.append(action) }
      return false
    }
    let started = log.started
    scheduler.advance()
    var waiting = accepted.withLock { $0 }.map { "\($0)" }
    var lines: [String] = []
    for (execution, time) in started {
      let name = "\(execution.action)"
      guard let index = waiting.firstIndex(of: name) else { continue }
      waiting.remove(at: index)
      lines.append("  #\(execution.id) \(name) \(execution.mode): at work since \(time)")
    }
    return UnfinishedActions(lines: lines + waiting.map { "  \($0): not started" })
  }

  /// Waits for effects in real time: runs the work that is due now, and yields, until no action is unfinished.
  ///
  /// The next call asserts the changes that the effects have made. No virtual time passes: for an effect that sleeps on the scheduler's
  /// clock, use ``advance(by:file:line:_:)``. After `timeout`, this throws a ``TestFailure`` that names the unfinished actions. It waits
  /// longer on a busy machine, because it measures the time by counting its checks.
  public func settle(
    timeout: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: UInt = #line
  ) async throws {
    let deadline = ContinuousClock.now + timeout
    var waited = Duration.zero
    var rounds = 0
    while true {
      hasSettled = true
      let unfinished = unfinishedActions()
      if unfinished.isEmpty { return }
      if waited >= timeout, .now > deadline {
        throw TestFailure(
          "\(unfinished.headline) within \(timeout)", Place(file: file, line: line), unfinished.lines)
      }
      rounds += 1
      if rounds < 100 {
        await Task.yield()
        try Task.checkCancellation()
      } else {
        try await Task.sleep(for: .milliseconds(1))
        waited += .milliseconds(1)
      }
    }
  }
}
