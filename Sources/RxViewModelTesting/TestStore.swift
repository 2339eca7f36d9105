import RxViewModel

/// A view model in a test that has to name everything that happens: each change of the state, each action that does not
/// end well, and, at the end, that nothing is at work.
///
///     let store = TestStore(viewModel, scheduler: scheduler)
///     try store.send(.search("a"), { $0.query = "a" }, { $0.isBusy = true })
///     try store.advance(by: .milliseconds(300)) { $0.isBusy = false; $0.results = ["ant"] }
///     try store.finish()
///
/// **Changes.** A change is an emitted state that differs from the one before; equal emissions need no step. A step
/// that changes nothing is a failure.
///
/// **Ends.** An action that fails, is cancelled or is dropped has to be named with ``expect(_:of:file:line:)``, in the
/// order of the ends, and before the next call that lets something happen. An error that `handleError` took is none;
/// one without an action is.
///
/// **Threads.** Work runs on the test's thread. What another thread schedules during a call, such as an effect that
/// returns from the main actor, waits for the next call, so that no result depends on how fast it is: see
/// ``settle(timeout:isolation:file:line:)``.
///
/// **Failures** are thrown as ``TestFailure``, so that the test ends at the first one and both test frameworks show it.
/// An error of a step is thrown as it is.
///
/// **Lifetime.** The store does not keep the view model alive. Releasing the store ends its subscriptions.
public final class TestStore<Action: Sendable, State: Sendable & Equatable> {
  /// What one change makes of the state before it.
  public typealias Step = (inout State) throws -> Void

  /// An end of an action that a test has to name.
  public enum End: Sendable {
    /// With this error, or one of the same type and description.
    case failed(any Error)
    /// Cancelled, or superseded by another action.
    case cancelled
    /// Turned away by its mode, or because its batch had failed.
    case dropped
  }

  typealias Place = TestFailure.Place

  let scheduler: TestScheduler
  weak var viewModel: RxViewModel<Action, State>?
  let log: StoreLog<Action, State>
  private let exhaustivity: Exhaustivity
  private let subscriptions = DisposeBag()
  /// The state that the steps have led to.
  private var asserted: State
  /// How many of the ends that nobody has named come from before the last call.
  private var overdueEnds = 0
  /// Whether what has come since the last call was brought by ``settle(timeout:isolation:file:line:)``.
  var hasSettled = false

  /// Watches from now on. `viewModel` works on `scheduler`; `exhaustivity` says whether everything has to be named.
  public init(_ viewModel: RxViewModel<Action, State>, scheduler: TestScheduler, exhaustivity: Exhaustivity = .on) {
    self.viewModel = viewModel
    self.scheduler = scheduler
    self.exhaustivity = exhaustivity
    asserted = viewModel.currentState
    log = StoreLog(asserted)
    log.observe(viewModel, scheduler.time).forEach(subscriptions.insert)
  }

  /// The state that was emitted last.
  public var state: State {
    log.state
  }

  /// Executes an action, and runs what is due now.
  ///
  /// Each step says what one change makes of the state before it. Without a step the state does not change. Without a
  /// mode `executionMode(for:)` is asked.
  public func send(
    _ action: Action, mode: ExecutionMode? = nil, file: StaticString = #fileID, line: UInt = #line, _ steps: Step...
  ) throws {
    let place = Place(file: file, line: line)
    try checkNothingIsLeft(place, changes: !hasSettled, ends: .max)
    guard let viewModel else { throw TestFailure("The view model has been released", place) }
    if let mode { viewModel.execute(action, mode: mode) } else { viewModel.execute(action) }
    scheduler.time.advanceAlone(by: .zero)
    try check(steps, place)
  }

  /// Lets time pass, and runs what is due up to and at the new time.
  ///
  /// The steps also assert what has changed since the last call, for instance because the test, or another store, has
  /// advanced the scheduler.
  public func advance(
    by duration: Duration = .zero, file: StaticString = #fileID, line: UInt = #line, _ steps: Step...
  ) throws {
    let place = Place(file: file, line: line)
    try checkNothingIsLeft(place, changes: steps.isEmpty && !hasSettled, ends: steps.isEmpty ? .max : overdueEnds)
    scheduler.time.advanceAlone(by: duration)
    try check(steps, place)
  }

  /// Names the next of those ends that have to be named.
  ///
  /// Errors are equal if their types and their descriptions are. Without exhaustivity the ends before it are passed
  /// over.
  public func expect(_ end: End, file: StaticString = #fileID, line: UInt = #line) throws {
    try expect(end.description, Place(file: file, line: line)) { $0.end.isAlike(end) }
  }

  /// Names the next of those ends that have to be named, and its action.
  public func expect(
    _ end: End, of action: Action, file: StaticString = #fileID, line: UInt = #line
  ) throws where Action: Equatable {
    try expect("\(action): \(end)", Place(file: file, line: line)) { $0.end.isAlike(end) && $0.action == action }
  }

  /// Asserts that nothing is left: no change, no end that has not been named, no unfinished action. It runs what is due
  /// now.
  ///
  /// Without exhaustivity it asserts nothing.
  public func finish(file: StaticString = #fileID, line: UInt = #line) throws {
    if exhaustivity == .off { return }
    let place = Place(file: file, line: line)
    try checkNothingIsLeft(place, changes: true, ends: .max)
    let unfinished = unfinishedActions()
    if !unfinished.isEmpty { throw TestFailure(unfinished.headline, place, unfinished.lines) }
    try checkNothingIsLeft(place, changes: true, ends: .max)
  }
}

/// Whether a ``TestStore`` asks for everything that happens.
public enum Exhaustivity: Sendable {
  /// Every change has a step, and every end that is not a completion is named.
  case on
  /// Steps are applied to the state behind the call, and must leave it as it is. Nothing else is asked.
  case off
}

// MARK: Checking

extension TestStore {
  private func checkNothingIsLeft(_ place: Place, changes: Bool, ends: Int) throws {
    if exhaustivity == .off { return }
    let lines =
      log.ends.prefix(ends).map { ["  \($0)"] }
      + (changes
        ? describe(log.changes, after: asserted).map { ["  the state changed (- before, + after):"] + $0 } : [])
    if lines.isEmpty { return }
    let headline = lines.count == 1 ? "1 thing has" : "\(lines.count) things have"
    throw TestFailure("\(headline) happened that nobody has expected", place, lines.flatMap { $0 })
  }

  private func check(_ steps: [Step], _ place: Place) throws {
    let changes = log.takeChanges()
    let before = asserted
    (asserted, overdueEnds, hasSettled) = (state, log.ends.count, false)
    switch exhaustivity {
    case .on: try check(steps, against: changes, after: before, place)
    case .off: try checkThatStateFits(steps, place)
    }
  }

  private func check(_ steps: [Step], against changes: [State], after before: State, _ place: Place) throws {
    func changeCount(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }
    var before = before
    for (index, step) in steps.enumerated() {
      var expected = before
      try step(&expected)
      if expected == before { throw TestFailure("Step \(index + 1) of \(steps.count) changes nothing", place) }
      guard index < changes.count else {
        throw TestFailure(
          "\(changeCount(steps.count - changes.count)) fewer than expected (- expected, + actual)", place,
          differences(expected, before))
      }
      try compare(expected, changes[index], place)
      before = expected
    }
    if changes.count > steps.count {
      throw TestFailure(
        "\(changeCount(changes.count - steps.count)) more than expected (- before, + after)", place,
        describe(Array(changes[steps.count...]), after: before).flatMap { $0 })
    }
  }

  private func checkThatStateFits(_ steps: [Step], _ place: Place) throws {
    let actual = state
    for step in steps {
      var expected = actual
      try step(&expected)
      try compare(expected, actual, place)
    }
  }

  private func compare(_ expected: State, _ actual: State, _ place: Place) throws {
    if expected == actual { return }
    throw TestFailure(
      "The state is not the expected one (- expected, + actual)", place, differences(expected, actual))
  }

  /// The lines that each change makes differ.
  private func describe(_ changes: [State], after before: State) -> [[String]] {
    zip([before] + changes, changes).map { differences($0, $1) }
  }

  private func expect(_ expected: String, _ place: Place, _ matches: (StoreLog<Action, State>.Ended) -> Bool) throws {
    let ends = log.ends
    let index = exhaustivity == .on ? ends.indices.first : ends.firstIndex(where: matches)
    guard let index else { throw TestFailure("Nothing has ended like this", place, ["- \(expected)"]) }
    guard matches(ends[index]) else {
      throw TestFailure(
        "The end is not the expected one (- expected, + actual)", place, ["- \(expected)", "+ \(ends[index])"])
    }
    log.removeEnds(through: index)
    overdueEnds = max(overdueEnds - index - 1, 0)
  }
}

extension TestStore.End: CustomStringConvertible {
  public var description: String {
    switch self {
    case .failed(let error): "failed: \(error)"
    case .cancelled: "cancelled"
    case .dropped: "dropped"
    }
  }

  fileprivate func isAlike(_ other: Self) -> Bool {
    switch (self, other) {
    case (.failed(let left), .failed(let right)): areAlike(left, right)
    case (.cancelled, .cancelled), (.dropped, .dropped): true
    default: false
    }
  }
}
