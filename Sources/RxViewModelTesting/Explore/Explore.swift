import RxViewModel
import RxViewModelRecording

/// A function that calls `body`, and calls `report` with the text of each failure that your test framework records meanwhile.
public typealias IssueBridge = (_ body: () -> Void, _ report: @escaping @Sendable (String) -> Void) -> Void

/// Runs a test in every order in which the answers of its effects can arrive. All orders have to end with equal values.
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
///       return model.currentState
///     }
///
/// Each run calls `body` with another sequence of choices: of `choose(_:)`, ``Exploration/mayArrive()`` and ``Exploration/allArrive()``.
/// Runs that depart less often from the first options come first. Make everything that you test in `body`, on the run's scheduler, and
/// leave nothing but these choices to chance.
///
/// **Values.** Return what your user sees in the end, such as `model.currentState`. If two orders with the same results of `choose` end
/// with different values, the outcome depends on the order of the responses: the failure names both orders and the difference. Some programs may end
/// differently, for example because they append the answers. In that case, say with `allowing:` what correct values have in common.
///
/// **Failures.** A run also fails if `body` throws, or if ``Exploration/expect(_:_:file:line:)`` fails anywhere in it. A failing `#expect`
/// of Swift Testing does neither, so return the value, or pass `issues:`. After the first failing run, `explore` makes up to 1,000 more, to
/// count the orders that fail, or of values, those that differ from the simplest order. Then it makes the failing sequence smaller, and throws a ``TestFailure`` with the sequence, the
/// error, and a table of what happened: a column for each action, one for the server, and the changes of the state. Pass the sequence to `replaying:` to run it alone, on any machine.
///
/// **Misuse.** The failure begins with "misuses explore" if the body makes other choices for the same sequence, if another thread calls the
/// run or sends work to its scheduler, or if a task doesn't end. Such a run shows nothing about the code under test. An async effect stays
/// on the run's scheduler, as on any `TestScheduler` that runs work.
///
/// **Threads.** All runs are on the calling thread, one after the other. The end of a run cancels pending arrivals, and the run's tasks end
/// before the next run begins. You can explore on several threads at the same time.
///
/// - Parameters:
///   - limit: The maximum number of runs. If there are more sequences, every second run from then on is random.
///   - seed: Determines the random runs. With `.fresh`, they are others each time, and a failure names the seed.
///   - failures: The maximum number of requests that fail in a run: see ``Exploration/request(_:failing:changes:inOrder:_:)``.
///   - overlapping: If true, the work that an answer makes due may run together with the next arrival, and a cancelled arrival may return
///     all the same.
///   - order: The sequence of a failure, which then runs alone. Missing numbers count as 0. Its value is compared with that of the
///     simplest order with the same results of `choose`, or of the order behind a slash.
///   - trace: If true, each run writes its sequence to standard error, each number before the run acts on it. So if a run traps, the last
///     line is its sequence.
///   - picture: The path of an HTML file, in which a failure draws its order on the page of the inspector: each action, arrival and
///     change of a state of the view models that the body makes. If the outcome depends on the order of the responses, it draws both orders.
///   - issues: With it, a failing `#expect` in the body fails the run, too:
///     `{ body, report in withKnownIssue(isIntermittent: true, body, matching: { report("\($0)"); return true }) }`.
///   - file: The file that a failure names.
///   - line: The line that a failure names.
///   - body: Your test, called once for each run.
///   - isAllowed: Returns true for a value that is right, although another order may end with another one.
/// - Returns: The number of runs, and whether they were all that there are.
@discardableResult
public func explore<Value: Equatable>(
  limit: Int = 10_000, seed: ExplorationSeed = 0, failures: Int = 1, overlapping: Bool = false,
  replaying order: String? = nil, trace: Bool = false, picture: String? = nil, issues: IssueBridge? = nil,
  file: StaticString = #fileID, line: UInt = #line, _ body: (Exploration) throws -> Value,
  allowing isAllowed: @escaping (Value) -> Bool = { _ in false }
) throws -> ExplorationReport {
  let endings = Endings(allowing: isAllowed)
  let options = Exploration.Options(
    isOverlapping: overlapping, failures: failures, isTraced: trace, seed: seed, picture: picture,
    place: TestFailure.Place(file: file, line: line))
  return try withoutActuallyEscaping(body) { body in
    let explorer = Explorer(options: options, issues: issues) { run in try endings.check(body(run), of: run) }
    let report = try explorer.report(limit, order, forget: endings.forget)
    if report.isExhaustive, let order = endings.uncompared {
      throw TestFailure(
        """
        compares nothing with \(order): no other order has the same results of choose. Choose first, give the choice a \
        label, or say with run.expect what has to hold
        """, options.place)
    }
    return report
  }
}

/// Runs a test in every order in which the answers of its effects can arrive. In the body, say with ``Exploration/expect(_:_:file:line:)``
/// what has to hold. Otherwise this is like the form whose body returns a value.
@discardableResult
public func explore(
  limit: Int = 10_000, seed: ExplorationSeed = 0, failures: Int = 1, overlapping: Bool = false,
  replaying order: String? = nil, trace: Bool = false, picture: String? = nil, issues: IssueBridge? = nil,
  file: StaticString = #fileID, line: UInt = #line, _ body: (Exploration) throws -> Void
) throws -> ExplorationReport {
  let options = Exploration.Options(
    isOverlapping: overlapping, failures: failures, isTraced: trace, seed: seed, picture: picture,
    place: TestFailure.Place(file: file, line: line))
  return try withoutActuallyEscaping(body) { body in
    try Explorer(options: options, issues: issues, body: body).report(limit, order, forget: nil)
  }
}

/// Makes the runs of one exploration.
struct Explorer {
  let options: Exploration.Options
  let issues: IssueBridge?
  let body: (Exploration) throws -> Void

  func run(_ script: Tape.Script, _ drawing: Drawing? = nil) -> Exploration.Outcome {
    let body = { (run: Exploration) in
      guard let issues else { return try self.body(run) }
      var result = Result<Void, any Error>.success(())
      issues({ result = Result { try self.body(run) } }, { run.fail(TestFailure($0, run.options.place)) })
      try result.get()
    }
    let run = { Exploration.outcome(of: body, script, options, drawing) }
    return drawing.map { Taps.$maker.withValue($0.maker, operation: run) } ?? run()
  }

  /// Explores, or replays an order. Nothing writes to standard error meanwhile. An exploration inside another one is not drawn with it.
  ///
  /// - Parameter forget: If the body returns a value, forgets those with which the next ones are compared.
  func report(_ limit: Int, _ order: String?, forget: (() -> Void)?) throws -> ExplorationReport {
    try Taps.$isQuiet.withValue(true) {
      try Taps.$maker.withValue(nil) { try order.map { try replay($0, forget) } ?? explore(limit: limit) }
    }
  }

  private func replay(_ order: String, _ forget: (() -> Void)?) throws -> ExplorationReport {
    let parts = order.split(separator: OrderText.comparison, omittingEmptySubsequences: false)
    guard parts.count < 3, let numbers = OrderText.numbers(of: "\(parts[0])"),
      let others = OrderText.numbers(of: "\(parts.dropFirst().first ?? "")")
    else { throw TestFailure("\"\(order)\" is not an order, which looks like \"0-1-0x47\"", options.place) }
    if let forget {
      let other = parts.count == 2 ? others : run(.numbers(numbers)).order.simplest
      forget()
      _ = run(.attempt(other))
    }
    let drawing = Drawing()
    let outcome = run(.numbers(numbers), drawing)
    if let failure = failure(of: outcome, drawing) { throw failure }
    return ExplorationReport(of: outcome.order)
  }

  private func explore(limit: Int) throws -> ExplorationReport {
    var tally = Tally(queue: ScriptQueue(limit: limit, seed: options.seed.number))
    while let outcome = tally.next(run: { run($0) }) {
      if let error = outcome.error { throw failure(error, of: outcome, &tally) }
      if let misuse = failure(of: outcome) { throw misuse }
    }
    return ExplorationReport(tally.queue, failures: tally.mayFail ? options.failures : nil)
  }

  /// Counts the failing orders, makes the first one smaller, and describes that one.
  private func failure(_ error: any Error, of first: Exploration.Outcome, _ tally: inout Tally) -> TestFailure {
    for _ in 0..<1_000 where tally.next(run: { run($0) }) == nil { break }
    let kind = FailureKind(error)
    var shrinker = Shrinker(choices: first.tape.choices) { numbers in
      let outcome = run(.attempt(numbers))
      return outcome.error.map(FailureKind.init) == kind ? outcome.tape.choices : nil
    }
    shrinker.run()
    let drawing = Drawing()
    let smallest = run(.choices(shrinker.best), drawing)
    if let failure = failure(of: smallest, drawing, tally.text(for: error)) { return failure }
    return TestFailure(
      "The body is not deterministic: it fails in \(smallest.order), but not every time", options.place)
  }
}

/// Makes the runs of an exploration, and counts the orders that have run, and those of them that have failed. Random runs may repeat an
/// order, which counts once.
private struct Tally {
  var queue: ScriptQueue
  /// Whether requests may fail.
  var mayFail = false
  /// The hashes of the orders.
  var orders: Set<Int> = []
  var failing = 0
  /// How many of these have ended with another value than the first order of their world.
  var different = 0

  /// The next run, which `run` makes. Nil after the last one. A run that is misuse shows nothing about its order, and is not counted as one
  /// that has failed.
  mutating func next(run: (Tape.Script) -> Exploration.Outcome) -> Exploration.Outcome? {
    guard let outcome = queue.next().map(run) else { return nil }
    queue.add(outcome.tape)
    mayFail = mayFail || outcome.mayFail
    if orders.insert(outcome.tape.choices.map(\.value).hashValue).inserted {
      failing += outcome.error == nil ? 0 : 1
      different += outcome.error is DifferentEndings ? 1 : 0
    }
    return outcome
  }

  /// How many orders fail, or end differently. If the simplest order is the wrong one, the others are those that differ.
  func text(for error: any Error) -> String {
    let count = queue.isExhaustive ? "\(orders.count) orders" : "the \(orders.count) orders tried"
    if !(error is DifferentEndings) { return "fails in \(failing) of \(count), first in" }
    return "ends differently from the simplest order in \(different) of \(count), first in"
  }
}
