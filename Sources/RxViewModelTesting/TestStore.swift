import RxViewModel

/// Observes a view model, and fails a test that does not name every change.
///
/// A test names each change of the state, and each action that fails, is cancelled or is dropped. At the end no action may be unfinished.
///
///     let store = TestStore(viewModel, scheduler: scheduler)
///     try store.send(.search("a"), { $0.query = "a" }, { $0.isBusy = true })
///     try store.advance(by: .milliseconds(300)) { $0.isBusy = false; $0.results = ["ant"] }
///     try store.finish()
///
/// **Threads.** Work runs on the test's thread. Work that another thread schedules during `send` or `advance`, such as an
/// effect that returns from the main actor, waits for the next call. So the result of these calls does not depend on the
/// speed of that thread: see ``settle(timeout:isolation:file:line:)``.
///
/// **Changes.** A change is an emitted state that differs from the previous one. Equal states need no step. A step that changes nothing is
/// a failure.
///
/// **Ends.** The test names an action that fails, is cancelled or is dropped with ``expect(_:of:file:line:)``, in the order of the ends,
/// and before the next call that runs work. An error that `handleError` has handled is not such an end; an error without an action is.
///
/// **Failures.** The store throws each failure as a ``TestFailure``, so that the test ends at the first one, and both test frameworks show
/// it. It rethrows an error that a step throws.
///
/// **Lifetime.** The store does not keep the view model alive. Releasing the store disposes its subscriptions.
public final class TestStore<Action: Sendable, State: Sendable & Equatable> {
  /// Changes the previous state into the state that the test expects.
  public typealias Step = (inout State) throws -> Void

  /// An end of an action that a test has to name.
  public enum End: Sendable {
    /// Failed with this error, or with an equal one. Two errors are equal if their types are and `==` returns true, or, for a type that is
    /// not `Equatable`, if their descriptions are.
    case failed(any Error)
    /// Cancelled, or superseded by another action.
    case cancelled
    /// Dropped because of its mode, or because an earlier action of its batch failed or was cancelled.
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
  /// The number of unnamed ends that came before the last call.
  private var overdueEnds = 0
  /// Whether the changes since the last call happened during ``settle(timeout:isolation:file:line:)``.
  var hasSettled = false

  /// Makes a store that observes `viewModel` from now on.
  ///
  /// - Parameters:
  ///   - viewModel: The view model to observe. The test must keep it alive.
  ///   - scheduler: The scheduler on which the view model works.
  ///   - exhaustivity: Whether the test must name every change and every end.
  public init(_ viewModel: RxViewModel<Action, State>, scheduler: TestScheduler, exhaustivity: Exhaustivity = .on) {
    self.viewModel = viewModel
    self.scheduler = scheduler
    self.exhaustivity = exhaustivity
    asserted = viewModel.currentState
    log = StoreLog(asserted)
    log.observe(viewModel, scheduler.time).forEach(subscriptions.insert)
  }

  /// The last state that the view model has emitted.
  public var state: State {
    log.state
  }

  /// Executes an action, and runs the work that is due now.
  ///
  /// Each step changes the previous expected state into the next one. Without steps the test expects no change. Without a mode, the view
  /// model's `executionMode(for:)` decides.
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

  /// Advances the time, and runs the work that is due up to and at the new time.
  ///
  /// The steps also assert the changes that have happened since the last call, for instance those of work that the test
  /// or another store has run.
  public func advance(
    by duration: Duration = .zero, file: StaticString = #fileID, line: UInt = #line, _ steps: Step...
  ) throws {
    let place = Place(file: file, line: line)
    try checkNothingIsLeft(place, changes: steps.isEmpty && !hasSettled, ends: steps.isEmpty ? .max : overdueEnds)
    scheduler.time.advanceAlone(by: duration)
    try check(steps, place)
  }

  /// Names the next end that the test must name.
  ///
  /// Without exhaustivity this skips the ends before it.
  public func expect(_ end: End, file: StaticString = #fileID, line: UInt = #line) throws {
    try expect(end, end.description, Place(file: file, line: line)) { $0.end.isEqual(to: end) }
  }

  /// Names the next end that the test must name, and its action.
  public func expect(
    _ end: End, of action: Action, file: StaticString = #fileID, line: UInt = #line
  ) throws where Action: Equatable {
    try expect(end, "\(action): \(end)", Place(file: file, line: line)) {
      $0.end.isEqual(to: end) && $0.action == action
    }
  }

  /// Asserts that there is no unasserted change, no unnamed end, and no unfinished action.
  ///
  /// An action counts as unfinished if its end needs work that has not run yet, even if that work is due now: call
  /// ``advance(by:file:line:_:)`` first. With an unasserted change or an unnamed end, throws before it runs any work.
  /// Otherwise runs the work that is due now, even if it then throws. Without exhaustivity it asserts nothing.
  public func finish(file: StaticString = #fileID, line: UInt = #line) throws {
    if exhaustivity == .off { return }
    let place = Place(file: file, line: line)
    try checkNothingIsLeft(place, changes: true, ends: .max)
    let unfinished = unfinishedActions()
    if !unfinished.isEmpty { throw TestFailure(unfinished.headline, place, unfinished.lines) }
    try checkNothingIsLeft(place, changes: true, ends: .max)
  }
}

/// Which changes and ends a ``TestStore`` requires the test to name.
public enum Exhaustivity: Sendable {
  /// Every change has a step, and the test names every end that is not a completion.
  case on
  /// The store applies each step to the state after the call, and the step must not change that state. The store requires nothing else.
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

  /// The lines that differ at each change.
  private func describe(_ changes: [State], after before: State) -> [[String]] {
    zip([before] + changes, changes).map { differences($0, $1) }
  }

  private func expect(
    _ end: End, _ expected: String, _ place: Place, _ matches: (StoreLog<Action, State>.Ended) -> Bool
  ) throws {
    let ends = log.ends
    let index = exhaustivity == .on ? ends.indices.first : ends.firstIndex(where: matches)
    guard let index else { throw TestFailure("Nothing has ended like this", place, ["- \(expected)"]) }
    guard matches(ends[index]) else {
      throw TestFailure(
        "The end is not the expected one (- expected, + actual)", place,
        ["- \(expected)", "+ \(ends[index])"] + hiddenDifferences(end.error, ends[index].end.error))
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

  fileprivate var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  fileprivate func isEqual(to other: Self) -> Bool {
    switch (self, other) {
    case (.failed(let left), .failed(let right)): areEqual(left, right)
    case (.cancelled, .cancelled), (.dropped, .dropped): true
    default: false
    }
  }
}
