import RxViewModel

/// Observes a view model, and fails a test that does not assert every change.
///
/// A test asserts each change of the state, each action that fails, is cancelled or is dropped, each event of a recorded stream and, with a
/// navigator, each route. At the end no action may be unfinished. ``withTestStore(_:navigator:exhaustivity:file:line:_:)`` makes a store
/// and asserts that by itself.
///
///     let store = TestStore { SearchViewModel(scheduler: $0) }
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
/// **Ends.** The test asserts an action that fails, is cancelled or is dropped with ``expect(_:of:file:line:)``, and a route with
/// ``expect(route:file:line:)``, in the order in which they happen, and before the next call that runs work. An error that `handleError`
/// has handled is not such an end; an error without an action is.
///
/// **Order.** Changes and routes are one sequence. The steps of a call assert the changes before the next route. A change behind it is a
/// step of the next ``advance(by:file:line:_:)``, after the test has asserted the route.
///
/// **Failures.** The store throws each failure as a ``TestFailure``, so that the test ends at the first one, and both test frameworks show
/// it. It rethrows an error that a step throws.
///
/// **Lifetime.** The store retains the view model and its scheduler. Releasing the store disposes its subscriptions. A store that is
/// released with something unasserted or unfinished fails the test in which it was made, with a message that contains that place, unless
/// ``finish(file:line:)`` has returned since the last call that runs work, or the store has thrown an error. So no test passes because its
/// last line is missing. With Swift Testing it records an issue in the test whose task releases it, and outside a test it fails the run.
/// With XCTest it fails the test method that runs at the release. In a process without a test it traps. If the test throws an error of its
/// own, such as that of a `#require`, the test reports both; a store of `withTestStore` is silent then.
public final class TestStore<Action: Sendable, State: Sendable & Equatable> {
  /// Changes the previous state into the state that the test expects.
  public typealias Step = (inout State) throws -> Void

  /// An end of an action that a test has to assert.
  public enum End: Sendable {
    /// Failed with this error, or with an equal one. Two errors are equal if their types are and `==` returns true, or, for a type that is
    /// not `Equatable`, if their descriptions and their stored values are.
    case failed(any Error)
    /// Cancelled, or superseded by another action.
    case cancelled
    /// Dropped because of its mode, or because an earlier action of its batch failed or was cancelled.
    case dropped
    /// Dropped because its child is absent. A test has to assert it, with any exhaustivity.
    case refused
  }

  typealias Place = TestFailure.Place

  /// The view model that the store observes, and retains.
  public let viewModel: RxViewModel<Action, State>
  /// The scheduler of the view model, which the store retains.
  public let scheduler: TestScheduler
  let log: StoreLog<Action, State>
  /// The type of the navigator's routes. Nil without a navigator.
  let routeType: (any Sendable.Type)?
  var exhaustivity: Exhaustivity
  let subscriptions = DisposeBag()
  /// The number of streams that the store records.
  var recordedCount = 0
  /// The place where the test made the store, and the framework that ran it then.
  let origin: Place
  private let framework = TestFramework.current()
  /// The state that the steps have led to.
  var asserted: State
  /// An entry of the log with a lower number came before the end of the last call, and before the changes that it has left.
  var overdue = 0
  /// Whether the changes since the last call happened during ``settle(timeout:isolation:file:line:)``.
  var hasSettled = false
  var duty = StoreDuty.finish

  /// Makes a store that observes a view model from now on.
  ///
  /// - Parameters:
  ///   - viewModel: The view model to observe. It must work on a ``TestScheduler``, which the test retains; another scheduler is a
  ///     programming mistake, which is trapped with a message.
  ///   - navigator: The navigator of the view model. The test must assert each route that it records from now on.
  ///   - exhaustivity: The events that the test must assert.
  ///   - file: The file in which a failure at the release stands.
  ///   - line: The line of that failure.
  public convenience init<Route: Sendable>(
    _ viewModel: RxViewModel<Action, State>, navigator: TestNavigator<Route>? = nil as TestNavigator<Never>?,
    exhaustivity: Exhaustivity = .on, file: StaticString = #filePath, line: UInt = #line
  ) {
    let (place, scheduler) = (Place(file: file, line: line), viewModel.scheduler)
    guard let scheduler = scheduler as? TestScheduler else {
      let reason =
        scheduler is VirtualTime
        ? "works on a TestScheduler that has been released: keep the scheduler in a let"
        : "works on a scheduler of the type \(type(of: scheduler)): make it with a TestScheduler"
      fatalError("TestStore, \(place): \(type(of: viewModel)) \(reason)")
    }
    self.init(viewModel, scheduler, navigator, exhaustivity, place)
  }

  /// Makes a scheduler and a view model on it, and a store that observes the view model from now on and retains both.
  ///
  ///     let store = TestStore { SearchViewModel(clock: $0.clock, scheduler: $0) }
  ///
  /// - Parameters:
  ///   - navigator: The navigator of the view model. The test must assert each route that it records from now on.
  ///   - exhaustivity: The events that the test must assert.
  ///   - file: The file in which a failure at the release stands.
  ///   - line: The line of that failure.
  ///   - makeViewModel: Returns the view model, which must work on the scheduler that it gets. Another one is a programming mistake, which
  ///     is trapped with a message.
  public convenience init<Route: Sendable>(
    navigator: TestNavigator<Route>? = nil as TestNavigator<Never>?, exhaustivity: Exhaustivity = .on,
    file: StaticString = #filePath, line: UInt = #line,
    _ makeViewModel: (TestScheduler) throws -> RxViewModel<Action, State>
  ) rethrows {
    let scheduler = TestScheduler()
    let (place, viewModel) = (Place(file: file, line: line), try makeViewModel(scheduler))
    Self.requireSame(scheduler, viewModel, place, "pass it the argument of the closure")
    self.init(viewModel, scheduler, navigator, exhaustivity, place)
  }

  /// Makes a store that observes `viewModel` from now on.
  ///
  /// - Parameters:
  ///   - viewModel: The view model to observe.
  ///   - scheduler: The scheduler on which the view model works. Another one is a programming mistake, which is trapped with a message.
  ///   - exhaustivity: The events that the test must assert.
  ///   - file: The file in which a failure at the release stands.
  ///   - line: The line of that failure.
  public convenience init(
    _ viewModel: RxViewModel<Action, State>, scheduler: TestScheduler, exhaustivity: Exhaustivity = .on,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    let place = Place(file: file, line: line)
    Self.requireSame(scheduler, viewModel, place, "write TestStore(viewModel)")
    self.init(viewModel, scheduler, nil as TestNavigator<Never>?, exhaustivity, place)
  }

  private static func requireSame(
    _ scheduler: TestScheduler, _ viewModel: RxViewModel<Action, State>, _ place: Place, _ advice: StaticString
  ) {
    let name = type(of: viewModel)
    require(
      viewModel.scheduler as? TestScheduler === scheduler,
      "TestStore, \(place): \(name) works on another scheduler than the one of the store: \(advice)")
  }

  private init<Route: Sendable>(
    _ viewModel: RxViewModel<Action, State>, _ scheduler: TestScheduler, _ navigator: TestNavigator<Route>?,
    _ exhaustivity: Exhaustivity, _ origin: Place
  ) {
    self.viewModel = viewModel
    self.scheduler = scheduler
    self.exhaustivity = exhaustivity
    self.origin = origin
    routeType = navigator.map { _ in Route.self }
    asserted = viewModel.currentState
    let log = StoreLog<Action, State>(asserted)
    self.log = log
    log.include(exhaustivity.included)
    log.observe(viewModel, scheduler.time).forEach(subscriptions.insert)
    if let navigator { subscriptions.insert(navigator.observe { log.note(routes: $0) }) }
  }

  deinit {
    guard duty == .finish, let failure = forgotten() else { return }
    if let run = Exploration.current { run.fail(failure) } else { framework.report(failure) }
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
    try running("send", place) {
      try checkNothingIsLeft(place, changes: !hasSettled)
      if let mode { viewModel.execute(action, mode: mode) } else { viewModel.execute(action) }
      scheduler.time.advanceAlone(by: .zero)
      try check(steps, place)
    }
  }

  /// Advances the time, and runs the work that is due up to and at the new time.
  ///
  /// The steps also assert the changes that have happened since the last call, for instance those of work that the test
  /// or another store has run.
  public func advance(
    by duration: Duration = .zero, file: StaticString = #fileID, line: UInt = #line, _ steps: Step...
  ) throws {
    let place = Place(file: file, line: line)
    try running("advance", place) {
      try checkNothingIsLeft(
        place, changes: steps.isEmpty && !hasSettled, occurrencesBefore: steps.isEmpty ? .max : overdue)
      scheduler.time.advanceAlone(by: duration)
      try check(steps, place)
    }
  }
}
