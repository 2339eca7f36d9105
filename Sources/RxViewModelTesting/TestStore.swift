import RxViewModel

/// Tests a view model exhaustively: if you don't assert everything that happens, the test fails.
///
/// ``withTestStore(_:navigator:exhaustivity:file:line:_:)`` makes a store for your test. At the end of the test, everything has to be
/// asserted, and no action may be unfinished.
///
///     try withTestStore(SearchViewModel(scheduler: scheduler)) { store in
///       try store.send(.search("a")) { $0.query = "a" }
///       try store.expect { $0.isBusy = true }
///       try store.advance(by: .milliseconds(300)) { $0.isBusy = false; $0.results = ["ant"] }
///     }
///
/// **One sequence.** Everything that happens is one sequence: changes of the state, actions that fail, are cancelled or are dropped,
/// routes, and the events of recorded streams. Assert it in this order, with an `expect` for each event. `send` and `advance` run work, and
/// their closure is the first `expect` after it. Before they run anything, they throw if you haven't asserted all that has happened.
///
/// **Changes.** A change is an emitted state that differs from the previous one, so you don't assert an equal state. A closure that changes
/// nothing is a failure.
///
/// **Ends.** You don't assert an error that `handleError` has handled. You do assert an error that belongs to no action.
///
/// **Threads.** Work runs on the test's thread. If another thread schedules work during `send` or `advance`, as an effect does that returns
/// from the main actor, that work waits for the next call. So the result of these calls doesn't depend on the speed of the other thread. To
/// wait for such effects, use ``settle(timeout:isolation:file:line:)``.
///
/// **Failures.** The store throws each failure as a ``TestFailure``, so the test ends at the first one, and both test frameworks show it.
/// It rethrows an error that your closure throws.
public final class TestStore<Action: Sendable, State: Sendable & Equatable> {
  /// Changes the previous state into the state that you expect.
  public typealias Change = (inout State) throws -> Void

  /// How an action ended; tests must assert it.
  public enum End: Sendable {
    /// Failed with this error, or with an equal one. Two errors are equal if they have the same type and `==` says so, or, without
    /// `Equatable`, if their descriptions and stored values are the same.
    case failed(any Error)
    /// Cancelled, or replaced by another action.
    case cancelled
    /// Dropped because of its mode, or because an earlier action of its batch failed or was cancelled.
    case dropped
    /// Dropped because its child is absent. You have to assert it with any exhaustivity.
    case refused
  }

  typealias Place = TestFailure.Place

  /// The view model that the store observes. The store retains it.
  public let viewModel: RxViewModel<Action, State>
  /// The scheduler of the view model. The store retains it.
  public let scheduler: TestScheduler
  let log: StoreLog<Action, State>
  let hasNavigator: Bool
  let subscriptions = DisposeBag()

  /// Makes a store that observes a view model from now on.
  init<Route: Sendable>(
    _ viewModel: RxViewModel<Action, State>, navigator: TestNavigator<Route>? = nil as TestNavigator<Never>?,
    exhaustivity: Exhaustivity = .on, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    guard let scheduler = viewModel.scheduler as? TestScheduler else {
      let reason =
        viewModel.scheduler is VirtualTime
        ? "runs on a TestScheduler that has been released: keep the scheduler in a let"
        : "runs on a scheduler of type \(type(of: viewModel.scheduler)): make it with a TestScheduler"
      throw TestFailure("\(type(of: viewModel)) \(reason)", Place(file: file, line: line))
    }
    let log = StoreLog<Action, State>(viewModel.currentState, exhaustivity)
    (self.viewModel, self.scheduler, self.log, hasNavigator) = (viewModel, scheduler, log, navigator != nil)
    log.observe(viewModel, scheduler.time).forEach(subscriptions.insert)
    if let navigator { subscriptions.insert(navigator.calls.subscribe(onNext: { log.note(routes: $0) })) }
  }

  /// The most recent state that the view model has emitted.
  public var state: State {
    log.state
  }

  // MARK: Running work

  /// Executes an action, and runs the work that is due now.
  ///
  /// - Parameters:
  ///   - action: The action to execute.
  ///   - mode: The mode of the action. Without one, the view model's `executionMode(for:)` decides.
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  ///   - change: Asserts the first thing that happens, like ``expect(file:line:_:)``. Without it, assert what happens with `expect`.
  public func send(
    _ action: Action, mode: ExecutionMode? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ change: Change? = nil
  ) throws {
    try run("send", Place(file: file, line: line), change) {
      if let mode { viewModel.execute(action, mode: mode) } else { viewModel.execute(action) }
      return scheduler.time.passAlone(.zero, limit: Self.workLimit)
    }
  }

  /// Advances the time, and runs the work that is due up to and including the new time.
  ///
  /// - Parameters:
  ///   - duration: The time to pass. Without it, only what is due now runs.
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  ///   - change: Asserts the first thing that happens, like ``expect(file:line:_:)``. Without it, assert what happens with `expect`.
  public func advance(
    by duration: Duration = .zero, file: StaticString = #fileID, line: UInt = #line, _ change: Change? = nil
  ) throws {
    try run("advance", Place(file: file, line: line), change) {
      scheduler.time.passAlone(duration, limit: Self.workLimit)
    }
  }

  private func run(_ call: StaticString, _ place: Place, _ change: Change?, _ work: () -> Bool) throws {
    try requireNothingIsLeft(place)
    log.begin(call, place)
    defer { log.endCall() }
    try requireEnd(of: work(), place)
    if let change { try expect(place, change) }
  }

  /// More pieces of work than this at one instant count as endless.
  private static var workLimit: Int { 100_000 }

  private func requireEnd(of hasEnded: Bool, _ place: Place) throws {
    if !hasEnded { throw failure(scheduler.time.endlessness(Self.workLimit), place) }
  }

  /// Waits in real time until no action is unfinished, and runs the work that becomes due meanwhile.
  ///
  /// Use it for effects that work in real time, and assert afterwards, with `expect`, what they have done. No virtual time passes: for an
  /// effect that sleeps on the scheduler's clock, use ``advance(by:file:line:_:)``. After `timeout`, this throws a ``TestFailure`` that
  /// lists the unfinished actions. On a busy machine it waits longer, because it measures the time by counting its checks.
  public func settle(
    timeout: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: UInt = #line
  ) async throws {
    let place = Place(file: file, line: line)
    try requireNothingIsLeft(place)
    log.begin("settle", place)
    defer { log.endCall() }
    let deadline = ContinuousClock.now + timeout
    var waited = Duration.zero
    var rounds = 0
    while true {
      try requireEnd(of: scheduler.time.pass(.zero, limit: Self.workLimit), place)
      let unfinished = unfinishedActions()
      if unfinished.isEmpty { return }
      if waited >= timeout, .now > deadline {
        throw failure("\(headline(unfinished)) within \(timeout)", place, unfinished)
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

  // MARK: The end of the test

  /// Requires that nothing is unasserted, and no action unfinished, before the last work and after it.
  func finish(file: StaticString = #fileID, line: UInt = #line) throws {
    let place = Place(file: file, line: line)
    try requireNothingIsLeft(place)
    if log.exhaustivity.isOff { return }
    var unfinished = unfinishedActions()
    log.begin("the end of withTestStore", place)
    try requireEnd(of: scheduler.time.pass(.zero, limit: Self.workLimit), place)
    if unfinished.isEmpty { unfinished = unfinishedActions() }
    if !unfinished.isEmpty { throw failure("\(headline(unfinished)) at the end of the test", place, unfinished) }
    try requireNothingIsLeft(place)
  }

  /// A failure, with what it has to say about effects that have left virtual time.
  func failure(_ headline: String, _ place: Place, _ lines: [String] = []) -> TestFailure {
    TestFailure(headline, place, lines + scheduler.time.linesAboutTasksOutside)
  }

  /// A line for each action that the view model has accepted and that has not ended.
  private func unfinishedActions() -> [String] {
    guard let actions = viewModel.unfinishedActions else { return ["  the view model is working on another thread"] }
    let started = log.started
    return actions.map { action in
      let mode = action.mode.map { " \($0)" } ?? ""
      let name = "#\(action.id) \(logText(of: action.action))\(mode)"
      if let time = started[action.id] { return "  \(name): running since \(time)" }
      return "  \(name): \(action.hasStarted ? "running" : "not started")"
    }
  }
}

private func headline(_ unfinished: [String]) -> String {
  unfinished.count == 1 ? "1 action has not ended" : "\(unfinished.count) actions have not ended"
}
