import RxViewModel

/// One run of ``explore(limit:seed:overlapping:replaying:file:line:_:)``: what is left to chance in it, and its scheduler.
///
/// Its body, and the effects that it starts, call these methods on the thread that explores. A call on another thread fails the run.
public final class Exploration: Sendable {
  /// The scheduler of this run. Each run has one of its own.
  public let scheduler = TestScheduler()

  struct State {
    var tape: Tape
    var arrivals = Arrivals()
    /// What has arrived, in this order.
    var labels: [String] = []
    /// Why this run shows nothing about the code under test.
    var misuse: TestFailure?
    /// What a part of the test has reported without throwing it.
    var report: TestFailure?
    /// Whether the run makes no choices any more.
    var isOver = false
  }

  let state: Lock<State>
  let isOverlapping: Bool
  let place: TestFailure.Place
  private let thread = ThreadID.current

  /// More pieces of work than this at one instant count as endless.
  static let workLimit = 1_000_000

  init(_ script: Tape.Script, isOverlapping: Bool, place: TestFailure.Place) {
    state = Lock(State(tape: Tape(script)))
    (self.isOverlapping, self.place) = (isOverlapping, place)
  }

  // MARK: Choices

  /// Chooses one of the options. Each of them is explored; the first one is the simplest.
  ///
  /// Runs no work. With one option it returns that one. Without an option it traps with a sentence.
  public func choose<Option>(_ options: Option...) -> Option {
    if options.isEmpty { fatalError("Exploration.choose needs at least one option") }
    return options[choose(among: options.count)]
  }

  /// Chooses a number from `range`. Each of them is explored; the lowest one is the simplest.
  ///
  /// Runs no work. Of a range with more numbers than `Int.max`, the last ones are never chosen.
  public func choose(_ range: ClosedRange<Int>) -> Int {
    let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    return range.lowerBound + choose(among: overflow || width == .max ? .max : width + 1)
  }

  /// The next choice of the run, from zero. The first option once the run has failed, or is over.
  func choose(among options: Int) -> Int {
    guard isOnItsThread("A choice") else { return 0 }
    let (value, count) = state.withLock { state in
      (state.isOver ? 0 : state.tape.choose(among: options), state.tape.choices.count)
    }
    if count > Self.workLimit {
      fatalError("A run of explore has made a million choices: does a loop wait for another option than the first?")
    }
    return value
  }

  // MARK: Expectations

  /// Throws a ``TestFailure`` with the comment and the place of the call if the condition is false.
  ///
  /// Runs no work and makes no choices. An error that the condition throws is rethrown.
  public func expect(
    _ condition: @autoclosure () throws -> Bool, _ comment: @autoclosure () -> String = "",
    file: StaticString = #fileID, line: UInt = #line
  ) throws {
    if let misuse = state.withLock({ $0.misuse }) { throw misuse }
    if try condition() { return }
    let comment = comment()
    throw TestFailure(comment.isEmpty ? "The condition is false" : comment, TestFailure.Place(file: file, line: line))
  }

  // MARK: Failures

  /// The exploration whose run the caller belongs to: its body, its scheduled work and its tasks.
  static var current: Exploration? { Run.current?.exploration }

  /// Fails this run with a failure that cannot be thrown, for instance from a `deinit`. The first one counts, unless the body throws.
  ///
  /// May be called on any thread, until the run is over.
  func fail(_ failure: TestFailure) {
    state.withLock { $0.report = $0.report ?? failure }
  }

  /// Fails this run with a sentence about the test itself. The first one counts.
  func reportMisuse(_ sentence: String) {
    let failure = TestFailure(sentence, place)
    state.withLock { $0.misuse = $0.misuse ?? failure }
  }

  /// Whether the caller is on the thread that explores. If it is not, this fails the run.
  func isOnItsThread(_ call: String) -> Bool {
    if thread == ThreadID.current { return true }
    reportMisuse(
      """
      \(call) came from another thread than the one that explores: does an effect run on the main actor, or in a \
      Task { … } of its own
      """)
    return false
  }
}
