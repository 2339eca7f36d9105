import RxViewModel
import RxViewModelRecording

/// Tells whether tasks of a run are left: a task-local value.
///
/// Each task that is started in the run inherits it, and retains it until the task has ended. So when the run holds the last reference,
/// no task is left.
final class RunToken: Sendable {
  @TaskLocal static var current: RunToken?

  let exploration: Exploration

  fileprivate init(_ exploration: Exploration) { self.exploration = exploration }
}

extension Exploration {
  /// The values that all runs of an exploration share.
  struct Options: Sendable {
    let isOverlapping: Bool
    /// The most requests that fail in a run.
    let failures: Int
    let isTraced: Bool
    let seed: ExplorationSeed
    let picture: String?
    let place: TestFailure.Place
  }

  /// The choices of a run, and how it has ended.
  struct Outcome {
    let tape: Tape
    let order: Order
    /// What is wrong with the test: the run says nothing about the code under test.
    let misuse: TestFailure?
    /// The first expectation that has failed, or what the body has thrown.
    let error: (any Error)?
    /// Whether requests may fail.
    let mayFail: Bool
    /// What to say about effects that had left the scheduler at the end of the body.
    let outside: [String]
  }

  /// Calls `body` with an exploration that follows `script`. Then cancels what is pending, and runs work on the calling thread until all
  /// tasks of the run have ended.
  static func outcome(
    of body: (Exploration) throws -> Void, _ script: Tape.Script, _ options: Options, _ drawing: Drawing?
  ) -> Outcome {
    let exploration = Exploration(script, options, drawing)
    let time = exploration.scheduler.time
    time.beginExploration()
    var token = RunToken(exploration)
    var (thrown, outside) = ((any Error)?.none, [String]())
    RunToken.$current.withValue(token) {
      time.atWork {
        do { try body(exploration) } catch { thrown = error }
        outside = time.linesAboutTasksOutside
        if thrown == nil { exploration.checkThatPerformEnds() }
        drawing?.end()
        exploration.end(hasFailed: thrown != nil)
      }
    }
    if !isKnownUniquelyReferenced(&token), thrown == nil, exploration.state.withLock({ $0.failedExpectation }) == nil {
      exploration.reportMisuse(
        """
        A task of a run has not ended: it waits for something that the run does not end, such as the main actor, a \
        Task { … } of its own, or a stream that is not disposed
        """)
    }
    return exploration.outcome(thrown, outside)
  }

  /// Fails the run if an effect still waits in `perform` for an action that nothing could end when the arrivals were over.
  private func checkThatPerformEnds() {
    guard let action = state.withLock({ $0.stuck.performing }).compactMap(\.performed).last else { return }
    let text =
      "\(logText(of: action)) has not ended, and nothing is pending that could end it, but perform waits for it"
    fail(TestFailure(text, options.place))
  }

  /// Ends the run: no more choices, and every task that waits is cancelled.
  private func end(hasFailed: Bool) {
    // Retains the arrivals, so that the servers of requests, which are the user's, are released after the lock.
    var pending = state.withLock { state in
      state.tape.end(hasFailed: hasFailed || state.failedExpectation != nil)
      state.isOver = true
      defer { state.arrivals = [] }
      return state.arrivals.map { (arrival: $0, continuation: $0.continuation.take()) }
    }
    for waiting in pending { waiting.continuation?.resume(throwing: CancellationError()) }
    pending = []
    bag.dispose()
    if !scheduler.time.drain(limit: Self.workLimit) {
      reportMisuse("The work of a finished run has not ended after a million steps")
    }
  }

  private func outcome(_ thrown: (any Error)?, _ outside: [String]) -> Outcome {
    if scheduler.time.hasWorkOfOthers {
      reportMisuse("Work came from a thread other than the one that explores: does an effect leave the run's scheduler")
    }
    let state = state.withLock { $0 }
    let misuse = state.tape.fault.map { TestFailure($0, options.place) } ?? state.misuse
    return Outcome(
      tape: state.tape, order: Order(state), misuse: misuse,
      error: misuse == nil ? state.failedExpectation ?? thrown : nil, mayFail: state.failures != nil,
      outside: misuse == nil ? outside : state.stuck.outside)
  }
}
