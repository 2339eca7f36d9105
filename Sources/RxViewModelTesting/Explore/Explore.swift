import RxViewModel
import RxViewModelRecording

/// The report of ``explore(limit:seed:overlapping:replaying:trace:picture:file:line:_:)``.
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
/// **Failures.** A run fails if `body` throws, or if ``Exploration/expect(_:_:file:line:)`` fails anywhere in it; Swift Testing's
/// `#expect` does neither. After the first failing run, `explore` makes up to 1,000 more, to count the orders that fail. It then makes the
/// failing sequence smaller, and throws a ``TestFailure`` that names the error, the sequence, and its choices and arrivals in their
/// order. `replaying:` runs this sequence alone, on any machine.
///
/// **Misuse.** A body that makes other choices for the same sequence, that is called from other threads, or whose tasks do not end, fails
/// with a message that begins with "misuses explore": the run shows nothing about the code under test. An async effect stays on the
/// run's scheduler as it does on any `TestScheduler` that runs work.
///
/// **Threads.** All runs are on the calling thread, one after the other. The end of a run cancels pending arrivals, and its tasks end
/// before the next run. Explorations on several threads do not affect each other.
///
/// - Parameters:
///   - limit: The most runs that are made. If there are more sequences, every second run from then on is a random one.
///   - seed: Determines the random runs.
///   - overlapping: With true, the work that an answer makes due may run together with the next arrival, and a cancelled arrival
///     may return.
///   - order: The sequence of a failure. Missing numbers count as 0.
///   - trace: With true, each run writes its sequence to standard error, each number before the run acts on it. So the last line is the
///     sequence of a run that has trapped.
///   - picture: A path. A failure writes a picture of its order to it: an HTML file with each action, arrival and state of the view models
///     that the body makes, as text.
///   - file: The file that a failure names.
///   - line: The line that a failure names.
///   - body: The test. It is called once for each run.
/// - Returns: The number of runs, and whether they were all that there are.
@discardableResult
public func explore(
  limit: Int = 10_000, seed: UInt64 = 0, overlapping: Bool = false, replaying order: String? = nil,
  trace: Bool = false, picture: String? = nil, file: StaticString = #fileID, line: UInt = #line,
  _ body: (Exploration) throws -> Void
) throws -> ExplorationReport {
  let place = TestFailure.Place(file: file, line: line)
  let options = Run.Options(isOverlapping: overlapping, isTraced: trace, place: place)
  return try withoutActuallyEscaping(body) { body in
    let explorer = Explorer(place: place, picture: picture) { script in
      Run.outcome(of: body, script, options)
    }
    if let order { return try explorer.replay(order) }
    return try explorer.explore(Orders(limit: limit, seed: seed))
  }
}

/// Makes the runs of one exploration.
struct Explorer {
  let place: TestFailure.Place
  let picture: String?
  let run: (Tape.Script) -> Run.Outcome

  /// After the first failing run, as many more are made to count those that fail.
  private static let countedRuns = 1_000

  func replay(_ order: String) throws -> ExplorationReport {
    guard let numbers = OrderText.numbers(of: order) else {
      throw TestFailure("\"\(order)\" is not an order, which looks like \"0-1-0x47\"", place)
    }
    if let failure = failure(in: .order(numbers)) { throw failure }
    return ExplorationReport(runs: 1, isExhaustive: false)
  }

  func explore(_ orders: Orders) throws -> ExplorationReport {
    var orders = orders
    var tally = Tally()
    while let script = orders.next() {
      let outcome = run(script)
      tally.add(outcome)
      switch outcome.failure {
      case .misuse(let misuse): throw FailureText(place, outcome).failure(.misuse(misuse))
      case .found(let error): throw failure(error, of: outcome, &orders, &tally)
      case nil: orders.add(outcome.tape)
      }
    }
    return ExplorationReport(runs: orders.runs, isExhaustive: orders.isExhaustive)
  }

  /// Counts the failing orders, makes the first one smaller, and describes that one.
  private func failure(_ error: any Error, of first: Run.Outcome, _ orders: inout Orders, _ tally: inout Tally)
    -> TestFailure
  {
    count(behind: first, &orders, &tally)
    let kind = FailureKind(error)
    var shrinking = Shrinking(first.tape.choices) { numbers in
      let outcome = run(.attempt(numbers))
      guard case .found(let error) = outcome.failure, FailureKind(error) == kind else { return nil }
      return outcome.tape.choices
    }
    Taps.$isQuiet.withValue(true) { shrinking.run() }
    let best = Tape.Script.departure(shrinking.best)
    if let failure = failure(in: best, tally.text(isExhaustive: orders.isExhaustive)) { return failure }
    let text = OrderText.text(of: shrinking.best.map(\.value))
    return TestFailure("The body is not deterministic: it fails in \"\(text)\", but not each time", place)
  }

  /// Runs a script, draws it if the test wants a picture, and describes its failure. Nil if it does not fail.
  private func failure(in script: Tape.Script, _ tally: String? = nil) -> TestFailure? {
    let drawing = picture.map { _ in Drawing() }
    let outcome = drawing?.drawing { run(script) } ?? run(script)
    guard let failure = outcome.failure else { return nil }
    let text = FailureText(place, outcome, tally)
    guard let drawing, let picture, case .found(let error) = failure else { return text.failure(failure) }
    return text.failure(failure, drawing.picture(text.sequence, "\(error)").write(to: picture))
  }

  private func count(behind first: Run.Outcome, _ orders: inout Orders, _ tally: inout Tally) {
    orders.add(first.tape)
    for _ in 0..<Self.countedRuns {
      guard let script = orders.next() else { return }
      let outcome = run(script)
      tally.add(outcome)
      orders.add(outcome.tape)
    }
  }
}

/// Counts the orders that have run, and those of them that have failed. Random runs may repeat an order, which counts once.
struct Tally {
  /// The hashes of the orders.
  private var orders: Set<Int> = []
  private var failing = 0

  /// A run that is misuse shows nothing about its order, and is not counted as one that has failed.
  mutating func add(_ outcome: Run.Outcome) {
    guard orders.insert(outcome.tape.choices.map(\.value).hashValue).inserted else { return }
    if case .found = outcome.failure { failing += 1 }
  }

  func text(isExhaustive: Bool) -> String {
    isExhaustive
      ? "\(failing) of \(orders.count) orders, first in" : "\(failing) of the \(orders.count) orders tried, first in"
  }
}
