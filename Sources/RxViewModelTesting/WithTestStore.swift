import RxViewModel

/// Makes a ``TestStore`` and calls `body`, your test, with it. At the end, everything has to be asserted, and no action may be unfinished.
///
///     try withTestStore(SearchViewModel(scheduler: scheduler), navigator: navigator) { store in
///       try store.send(.search("a")) { $0.query = "a" }
///       try store.advance(by: .milliseconds(300)) { $0.results = ["ant"] }
///       try store.send(.select("ant"))
///       try store.expect(route: AppRoute.details("ant"))
///     }
///
/// Returns what `body` returns. If `body` throws, this rethrows that error and checks nothing more. Otherwise it runs the work that is
/// still due now. An action that ends only then counts as unfinished: call ``TestStore/advance(by:file:line:_:)`` in `body` first. With
/// exhaustivity off, this only asserts that no child was absent.
///
/// To test two view models that work together, write one `withTestStore` inside the other.
///
/// - Parameters:
///   - viewModel: The view model to observe. Make it on a ``TestScheduler``, which the store then retains; any other scheduler is a
///     failure.
///   - navigator: The navigator of the view model. You have to assert each route that it records.
///   - exhaustivity: The events that you have to assert.
///   - file: The file that a failure at the end names.
///   - line: The line that a failure at the end names.
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
