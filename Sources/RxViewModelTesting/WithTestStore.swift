import RxViewModel

/// Makes a ``TestStore``, calls `body` with it, and requires at its end that nothing is unasserted, and no action unfinished.
///
///     try withTestStore(SearchViewModel(scheduler: scheduler), navigator: navigator) { store in
///       try store.send(.search("a")) { $0.query = "a" }
///       try store.advance(by: .milliseconds(300)) { $0.results = ["ant"] }
///       try store.send(.select("ant"))
///       try store.expect(route: AppRoute.details("ant"))
///     }
///
/// Returns what `body` returns. If `body` throws, this throws that error, and asks for nothing more. At the end of `body` it runs the work
/// that is due now. An action is unfinished if its end needs work that has not run before: call ``TestStore/advance(by:file:line:_:)``
/// first. Without exhaustivity this asserts only that no child was absent.
///
/// To test two view models that work together, write one `withTestStore` inside the other.
///
/// - Parameters:
///   - viewModel: The view model to observe. It must work on a ``TestScheduler``, which the test retains; another scheduler is a failure.
///   - navigator: The navigator of the view model. The test must assert each route that it records.
///   - exhaustivity: The events that the test must assert.
///   - file: The file in which a failure at the end stands.
///   - line: The line of that failure.
///   - body: The test, called once.
@discardableResult
public func withTestStore<Action: Sendable, State: Sendable & Equatable, Route: Sendable, Result>(
  _ viewModel: RxViewModel<Action, State>, navigator: TestNavigator<Route>? = nil as TestNavigator<Never>?,
  exhaustivity: Exhaustivity = .on, file: StaticString = #fileID, line: UInt = #line,
  _ body: (TestStore<Action, State>) throws -> Result
) throws -> Result {
  let store = try TestStore(viewModel, navigator: navigator, exhaustivity: exhaustivity, file: file, line: line)
  let result = try body(store)
  try store.finish(file: file, line: line)
  return result
}

/// Makes a store, calls an asynchronous `body` with it, and finishes it. Otherwise like
/// ``withTestStore(_:navigator:exhaustivity:file:line:_:)``.
@discardableResult
public func withTestStore<Action: Sendable, State: Sendable & Equatable, Route: Sendable, Result>(
  _ viewModel: RxViewModel<Action, State>, navigator: TestNavigator<Route>? = nil as TestNavigator<Never>?,
  exhaustivity: Exhaustivity = .on, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
  line: UInt = #line, _ body: (TestStore<Action, State>) async throws -> Result
) async throws -> Result {
  // `body` and this function use the store one after the other.
  nonisolated(unsafe) let store = try TestStore(
    viewModel, navigator: navigator, exhaustivity: exhaustivity, file: file, line: line)
  let result = try await body(store)
  try store.finish(file: file, line: line)
  return result
}
