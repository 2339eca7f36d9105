import RxViewModel
import RxViewModelRecording

/// One run of ``explore(limit:seed:failures:overlapping:replaying:trace:picture:issues:file:line:_:allowing:)``: its scheduler, and what your test
/// leaves to chance.
///
/// Call its methods in the body and in the effects that the body starts, on the thread that explores. On another thread, any call but
/// `expect` fails the run.
public final class Exploration: Sendable {
  /// The scheduler of this run. Make your view models on it. Each run has its own.
  public let scheduler = TestScheduler()

  /// What the test does, apart from the order: runs of the same world are compared.
  struct World: Hashable {
    /// The numbers of the options that `choose` has returned.
    var results: [Int] = []
    /// The same for choices with a label.
    var named: [String: Int] = [:]
    /// The fates of the requests that fail.
    var fates: [String: Int] = [:]
  }

  struct State {
    var tape: Tape
    /// The arrivals that wait, in the order in which they began to wait.
    var arrivals: [Arrival] = []
    var world = World()
    /// The places of the tape that belong to the world. The others are the order.
    var worldPlaces: Set<Int> = []
    /// How many choices and requests of each label there have been.
    var counts: [String: Int] = [:]
    /// How many requests fail in this run. Nil if none may fail.
    var failures: Int?
    /// The effects that wait in `perform`, and what to say about those that wait outside the scheduler, if nothing is pending.
    var stuck: (performing: [EffectTask], outside: [String]) = ([], [])
    /// Why this run shows nothing about the code under test.
    var misuse: TestFailure?
    /// The first expectation that has failed, also if the code under test has caught its error.
    var failedExpectation: TestFailure?
    /// Whether the run makes no choices any more.
    var isOver = false

    /// The places of the arrivals that may be next.
    var pending: [Int] {
      arrivals.indices.filter { index in !arrivals.contains { arrivals[index].follows($0) } }
    }
  }

  let state: Lock<State>
  let options: Options
  /// Nil unless the run is drawn.
  let drawing: Drawing?
  private let thread = ThreadID.current
  /// The subscriptions of the run.
  let bag = DisposeBag()

  /// More pieces of work than this at one instant count as endless.
  static let workLimit = 1_000_000

  init(_ script: Tape.Script, _ options: Options, _ drawing: Drawing?) {
    (state, self.options, self.drawing) = (Lock(State(tape: Tape(script))), options, drawing)
    if options.isTraced { writeToStandardError("\nexplore: ") }
  }

  // MARK: Choices

  /// Chooses one of the options. The explorer tries each of them, and the first one is the simplest.
  ///
  /// Runs no work. With one option it returns that one. Without an option it traps with a message. The text of a failure names the option.
  public func choose<Option>(_ options: Option...) -> Option { choose(nil, options) }

  /// Chooses one of the options, like the `choose` without a label. Orders in which the choices of a label have the same results are
  /// compared, also if the order decides where, or whether, the choice is made.
  public func choose<Option>(_ label: String, of options: Option...) -> Option { choose(label, options) }

  private func choose<Option>(_ label: String?, _ options: [Option]) -> Option {
    if options.isEmpty { fatalError("Exploration.choose needs at least one option") }
    let name = label.map(numbered)
    let index = choose(among: options.count) { world, index in
      if let name { world.named[name] = index } else { world.results.append(index) }
    }
    drawing?.note("choice", "chose \(logText(of: options[index]))")
    return options[index]
  }

  /// Chooses a number from `range`. The explorer tries each of them, and the lowest one is the simplest.
  ///
  /// Runs no work. If the range has more numbers than `Int.max`, the last ones are never chosen. The text of a failure names the number.
  public func choose(_ range: ClosedRange<Int>) -> Int {
    let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    let number =
      range.lowerBound + choose(among: overflow || width == .max ? .max : width + 1) { $0.results.append($1) }
    drawing?.note("choice", "chose \(number)")
    return number
  }

  /// The label, with a number from its second use on.
  func numbered(_ label: String) -> String {
    state.withLock { state in
      state.counts[label, default: 0] += 1
      let count = state.counts[label]!
      return count == 1 ? label : "\(label) \(count)"
    }
  }

  /// The next choice of the run, which belongs to its world, and not to its order.
  ///
  /// - Parameter enter: Says where in the world.
  func choose(among options: Int, in enter: (inout World, Int) -> Void) -> Int {
    let index = choose(among: options)
    state.withLock { state in
      state.worldPlaces.insert(state.tape.choices.count - 1)
      enter(&state.world, index)
    }
    return index
  }

  /// The next choice of the run, counted from zero. The first option once the script doesn't fit (see ``Tape``), or the run is over.
  func choose(among options: Int) -> Int {
    guard checkThread(of: "A choice") else { return 0 }
    let (value, count) = state.withLock { state in
      (state.isOver ? 0 : state.tape.choose(among: options), state.tape.choices.count)
    }
    if self.options.isTraced { writeToStandardError(count == 1 ? "\(value)" : "\(OrderText.separator)\(value)") }
    if count > Self.workLimit {
      fatalError("A run of explore has made a million choices: does a loop wait for an option other than the first?")
    }
    return value
  }

  // MARK: Expectations

  /// Fails the run if the condition is false, and throws that ``TestFailure``, with the comment and the place of the call.
  ///
  /// The run fails wherever you call this: in the body, a service, a mapper or a `try?`, on any thread. The first failed expectation
  /// counts. Each later call throws it again, so that the body ends. This runs no work and makes no choices. If the condition throws an
  /// error, this rethrows it, and the run fails only if the body throws it too.
  public func expect(
    _ condition: @autoclosure () throws -> Bool, _ comment: @autoclosure () -> String = "",
    file: StaticString = #fileID, line: UInt = #line
  ) throws {
    try throwFailure()
    if try condition() { return }
    let failure = TestFailure(expectation: comment(), file, line, scheduler.time)
    fail(failure)
    throw failure
  }

  /// Fails the run if the values differ, like the `expect` of a condition. The failure shows where they do.
  public func expect<Value: Equatable>(
    _ value: @autoclosure () throws -> Value, equals expected: @autoclosure () throws -> Value,
    _ comment: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line
  ) throws {
    try throwFailure()
    let (value, expected) = try (value(), expected())
    if value == expected { return }
    let comment = comment()
    let failure = TestFailure(
      comment.isEmpty ? "The values differ, - expected, + actual" : "\(comment), - expected, + actual",
      TestFailure.Place(file: file, line: line), differences(expected, value) + scheduler.time.linesAboutTasksOutside)
    fail(failure)
    throw failure
  }

  /// Fails the run at the first state of the view model for which `condition` returns false or throws, from the current state on.
  ///
  /// The failure shows that state and the one before. The condition is called when the view model sends a state to its subscribers. The run
  /// ends the subscription.
  public func always<Action, State>(
    _ model: RxViewModel<Action, State>, _ comment: String = "", file: StaticString = #fileID, line: UInt = #line,
    _ condition: @escaping @Sendable (State) throws -> Bool
  ) {
    let last = Lock<State?>(nil)
    model.stateObservable.subscribe(onNext: { [self] state in
      let before = last.withLock { last in
        defer { last = state }
        return last
      }
      let result = Result { try condition(state) }
      if (try? result.get()) == true || self.state.withLock({ $0.isOver }) { return }
      var lines = before.map { differences($0, state) } ?? dumpLines(of: state)
      if case .failure(let error) = result { lines.insert("\(error)", at: 0) }
      let headline = comment.isEmpty ? "A state is wrong" : comment
      fail(TestFailure(headline, TestFailure.Place(file: file, line: line), lines))
    }).disposed(by: bag)
  }

  private func throwFailure() throws {
    if let failure = state.withLock({ $0.misuse ?? $0.failedExpectation }) { throw failure }
  }

  // MARK: Failures

  /// Fails this run, and ends its picture. The first failure counts.
  func fail(_ failure: TestFailure) {
    state.withLock { $0.failedExpectation = $0.failedExpectation ?? failure }
    drawing?.end()
  }

  /// Fails this run with a message about the test itself. The first one counts.
  func reportMisuse(_ sentence: String) {
    let failure = TestFailure(sentence, options.place)
    state.withLock { $0.misuse = $0.misuse ?? failure }
  }

  /// Returns whether the caller is on the thread that explores, and fails the run if it isn't.
  func checkThread(of call: String) -> Bool {
    if thread == ThreadID.current { return true }
    reportMisuse(
      """
      \(call) came from a thread other than the one that explores: does an effect run on the main actor, or in a \
      Task { … } of its own
      """)
    return false
  }
}
