import RxViewModel

/// Makes a store, calls `body` with it, and finishes it: the form of ``TestStore`` whose last line cannot be forgotten.
///
///     try withTestStore(SearchViewModel(scheduler: scheduler), navigator: navigator) { store in
///       try store.send(.search("a")) { $0.query = "a" }
///       try store.advance(by: .milliseconds(300)) { $0.results = ["ant"] }
///       try store.send(.select("ant"))
///       try store.expect(route: AppRoute.details("ant"))
///     }
///
/// Returns what `body` returns. If `body` throws, this throws that error, and asks for nothing more. Otherwise it throws a ``TestFailure``
/// where ``TestStore/finish(file:line:)`` does.
///
/// - Parameters:
///   - viewModel: The view model to observe. It must work on a ``TestScheduler``, which the test retains; another scheduler is a
///     programming mistake, which is trapped with a sentence.
///   - navigator: The navigator of the view model. The test must name each route that it records.
///   - exhaustivity: What the test must name.
///   - file: The file that a failure at the end names.
///   - line: The line that it names.
///   - body: The test, called once.
@discardableResult
public func withTestStore<Action: Sendable, State: Sendable & Equatable, Route: Sendable, Result>(
  _ viewModel: RxViewModel<Action, State>, navigator: TestNavigator<Route>? = nil as TestNavigator<Never>?,
  exhaustivity: Exhaustivity = .on, file: StaticString = #fileID, line: UInt = #line,
  _ body: (TestStore<Action, State>) throws -> Result
) throws -> Result {
  let store = TestStore(viewModel, navigator: navigator, exhaustivity: exhaustivity, file: file, line: line)
  let result = try store.failing { try body(store) }
  try store.finishAtEnd()
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
  nonisolated(unsafe) let store = TestStore(
    viewModel, navigator: navigator, exhaustivity: exhaustivity, file: file, line: line)
  do {
    let result = try await body(store)
    try store.finishAtEnd()
    return result
  } catch {
    store.duty = .failed
    throw error
  }
}

extension TestStore {
  /// Finishes the store at the end of `withTestStore`, whose call a failure names.
  fileprivate func finishAtEnd() throws {
    try finishAll([self], Place(file: origin.file, line: origin.line, prefix: "at the end of withTestStore, "))
  }
}
