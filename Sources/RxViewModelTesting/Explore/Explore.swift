import RxViewModel

/// What ``explore(limit:seed:overlapping:replaying:file:line:_:)`` has run.
public struct ExplorationReport: Sendable {
  /// The number of runs.
  public let runs: Int
  /// Whether the runs were all that there are.
  public let isExhaustive: Bool
}

/// Runs a test in every order in which the answers of its effects can come.
///
///     try explore { run in
///       let model = SearchViewModel(scheduler: run.scheduler) { text in
///         try await run.arrival("answer to \(text)")
///         return [text]
///       }
///       model.execute(.search("a"))
///       run.mayArrive()
///       model.execute(.search("ab"))
///       run.allArrive()
///       try run.expect(model.currentState.results == ["ab"])
///     }
///
/// Each run calls `body` with another sequence of choices: of `choose(_:)`, ``Exploration/mayArrive()`` and
/// ``Exploration/allArrive()``. Runs that depart less often from the first options come first. `body` makes everything that it tests, on
/// the run's scheduler, and nothing in it but the choices is left to chance.
///
/// **Failures.** A run fails if `body` throws: use ``Exploration/expect(_:_:file:line:)``, because Swift Testing's `#expect` does not
/// throw. After the first failing run, `explore` makes up to 1,000 more, to count those that fail. It then makes the failing sequence
/// smaller, and throws a ``TestFailure`` that names the error, the sequence, and what has arrived in its order. `replaying:` runs this
/// sequence alone, on any machine.
///
/// **Misuse.** A body that makes other choices for the same sequence, that is called from other threads, or whose tasks do not end, fails
/// with a sentence. An async effect stays on the run's scheduler as it does on any `TestScheduler` that runs work.
///
/// **Threads.** All runs are on the calling thread, one after the other. At the end of a run, what is pending is cancelled, and its tasks
/// end before the next run. Explorations on several threads do not affect each other.
///
/// - Parameters:
///   - limit: The most runs that are made. If there are more sequences, every second run from then on is a random one.
///   - seed: Determines the random runs.
///   - overlapping: With true, what an answer makes due may run together with what comes next, and a cancelled arrival may return.
///   - order: The sequence of a failure. Missing numbers count as 0.
///   - file: The file that a failure names.
///   - line: The line that a failure names.
///   - body: The test. It is called once for each run.
/// - Returns: The number of runs, and whether they were all that there are.
@discardableResult
public func explore(
  limit: Int = 10_000, seed: UInt64 = 0, overlapping: Bool = false, replaying order: String? = nil,
  file: StaticString = #fileID, line: UInt = #line, _ body: (Exploration) throws -> Void
) throws -> ExplorationReport {
  let place = TestFailure.Place(file: file, line: line)
  return try withoutActuallyEscaping(body) { body in
    let explorer = Explorer(place: place) { script in
      Run.outcome(of: body, script, isOverlapping: overlapping, place: place)
    }
    if let order { return try explorer.replay(order) }
    return try explorer.explore(Orders(limit: limit, seed: seed))
  }
}

/// Makes the runs of one exploration.
struct Explorer {
  let place: TestFailure.Place
  let run: (Tape.Script) -> Run.Outcome

  /// After the first failing run, as many more are made to count those that fail.
  private static let countedRuns = 1_000

  func replay(_ order: String) throws -> ExplorationReport {
    guard let numbers = OrderText.numbers(of: order) else {
      throw TestFailure("\"\(order)\" is not an order, which looks like \"0.1.0x47\"", place)
    }
    let outcome = run(.order(numbers))
    if let failure = outcome.failure { throw FailureText(place, outcome, "fails in").failure(failure) }
    return ExplorationReport(runs: 1, isExhaustive: false)
  }

  func explore(_ orders: Orders) throws -> ExplorationReport {
    var orders = orders
    while let script = orders.next() {
      let outcome = run(script)
      switch outcome.failure {
      case .misuse(let misuse): throw FailureText(place, outcome, "fails in").failure(.misuse(misuse))
      case .found(let error): throw failure(error, of: outcome, &orders)
      case nil: orders.add(outcome.tape)
      }
    }
    return ExplorationReport(runs: orders.runs, isExhaustive: orders.isExhaustive)
  }

  /// Counts the failing runs, makes the first one smaller, and describes that one.
  private func failure(_ error: any Error, of first: Run.Outcome, _ orders: inout Orders) -> TestFailure {
    let (failing, runs) = count(behind: first, &orders)
    let kind = FailureKind(error)
    var shrinking = Shrinking(first.tape.choices) { numbers in
      let outcome = run(.attempt(numbers))
      guard case .found(let error) = outcome.failure, FailureKind(error) == kind else { return nil }
      return outcome.tape.choices
    }
    shrinking.run()
    let last = run(.departure(shrinking.best))
    guard let failure = last.failure else {
      let text = OrderText.text(of: shrinking.best.map(\.value))
      return TestFailure("The body is not deterministic: it fails in \"\(text)\", but not each time", place)
    }
    return FailureText(place, last, "fails in \(failing) of \(runs) orders, first in").failure(failure)
  }

  private func count(behind first: Run.Outcome, _ orders: inout Orders) -> (failing: Int, runs: Int) {
    var failing = 1
    orders.add(first.tape)
    for _ in 0..<Self.countedRuns {
      guard let script = orders.next() else { break }
      let outcome = run(script)
      if outcome.failure != nil { failing += 1 }
      orders.add(outcome.tape)
    }
    return (failing, orders.runs)
  }
}
