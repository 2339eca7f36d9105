import RxViewModel
import RxViewModelRecording

/// Tells whether tasks of a run are left: a task-local value.
///
/// Each task that is started in the run inherits it, and retains it until the task has ended. So when the run holds the last reference,
/// no task is left.
final class RunToken: Sendable {
  @TaskLocal static var current: RunToken?

  let exploration: Exploration

  fileprivate init(_ exploration: Exploration) {
    self.exploration = exploration
  }
}

extension Exploration {
  /// The values that all runs of an exploration share.
  struct Options: Sendable {
    let isOverlapping: Bool
    /// The most requests that fail in a run.
    let failures: Int
    let isTraced: Bool
    let place: TestFailure.Place
  }

  /// The choices of a run, and how it has ended.
  struct Outcome {
    let tape: Tape
    let order: Order
    let failure: Failure?
    /// What to say about effects that had left the scheduler at the end of the body.
    let outside: [String]
  }

  enum Failure {
    /// The mistake is in the test: the run says nothing about the code under test.
    case misuse(TestFailure)
    /// An expectation has failed, or the body has thrown this error.
    case found(any Error)
  }

  /// Calls `body` with an exploration that follows `script`. Then cancels what is pending, and runs work on the calling thread until all
  /// tasks of the run have ended.
  static func outcome(of body: (Exploration) throws -> Void, _ script: Tape.Script, _ options: Options) -> Outcome {
    let exploration = Exploration(script, options)
    let time = exploration.scheduler.time
    time.beginExploration()
    var token = RunToken(exploration)
    var outside: [String] = []
    let thrown = RunToken.$current.withValue(token) {
      time.atWork { () -> (any Error)? in
        let thrown = error(of: body, exploration)
        outside = time.linesAboutTasksOutside
        Drawing.current?.end()
        exploration.end(hasFailed: thrown != nil)
        return thrown
      }
    }
    if !isKnownUniquelyReferenced(&token), thrown == nil {
      exploration.reportMisuse(
        """
        A task of a run has not ended: it waits for something that the run does not end, such as the main actor, a \
        Task { … } of its own, or a stream that is not disposed
        """)
    }
    return exploration.outcome(thrown, outside)
  }

  private static func error(of body: (Exploration) throws -> Void, _ exploration: Exploration) -> (any Error)? {
    do { try body(exploration) } catch { return error }
    return nil
  }

  /// Ends the run: no more choices, and every task that waits is cancelled.
  private func end(hasFailed: Bool) {
    let pending = state.withLock { state in
      state.tape.end(hasFailed: hasFailed || state.failedExpectation != nil)
      state.isOver = true
      defer { state.arrivals = [] }
      return state.arrivals.map { $0.continuation.take() }
    }
    for continuation in pending { continuation?.resume(throwing: CancellationError()) }
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
    let failure: Failure? =
      if let fault = state.tape.fault {
        .misuse(TestFailure(fault.sentence(state.tape), options.place))
      } else if let misuse = state.misuse {
        .misuse(misuse)
      } else {
        (state.failedExpectation ?? thrown).map { .found($0) }
      }
    return Outcome(tape: state.tape, order: Order(state), failure: failure, outside: outside)
  }
}

extension Tape.Fault {
  /// What doesn't fit, as a sentence about the body of the test.
  func sentence(_ tape: Tape) -> String {
    switch (self, tape.script) {
    case (.otherOptions(let index, let before, let now), _):
      """
      The body is not deterministic: choice \(index + 1) of "\(text(tape))" had \(before) options, and has \(now) in \
      another run
      """
    case (.fewerChoices(let expected, let made), .numbers):
      "The order has \(expected) numbers, but the body makes \(made) choices"
    case (.fewerChoices(let expected, let made), _):
      """
      The body is not deterministic: it made \(expected) choices or more for "\(text(tape))", and makes \(made) in another \
      run
      """
    case (.notAnOption(let index, let value, let options), _):
      "The order does not fit the body: number \(index + 1) is \(value), and the options are 0 to \(options - 1)"
    }
  }

  private func text(_ tape: Tape) -> String {
    switch tape.script {
    case .choices(let choices): OrderText.text(of: choices.map(\.value))
    default: OrderText.text(of: tape.choices.map(\.value))
    }
  }
}
