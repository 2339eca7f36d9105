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
///     programming mistake, which is trapped with a message.
///   - navigator: The navigator of the view model. The test must assert each route that it records.
///   - exhaustivity: The events that the test must assert.
///   - file: The file in which a failure at the end stands.
///   - line: The line of that failure.
///   - body: The test, called once.
@discardableResult
public func withTestStore<Action: Sendable, State: Sendable & Equatable, Route: Sendable, Result>(
  _ viewModel: RxViewModel<Action, State>, navigator: TestNavigator<Route>? = nil as TestNavigator<Never>?,
  exhaustivity: Exhaustivity = .on, file: StaticString = #filePath, line: UInt = #line,
  _ body: (TestStore<Action, State>) throws -> Result
) throws -> Result {
  try TestStore(viewModel, navigator: navigator, exhaustivity: exhaustivity, file: file, line: line).finishing(body)
}

/// Makes a scheduler, a view model on it and a store, calls `body` with the store, and finishes it. The store retains them.
///
///     try withTestStore { SearchViewModel(scheduler: $0) } test: { store in
///       try store.send(.search("a")) { $0.query = "a" }
///     }
///
/// `makeViewModel` must use the scheduler that it gets; another one is trapped with a message. Otherwise like
/// ``withTestStore(_:navigator:exhaustivity:file:line:_:)``.
@discardableResult
public func withTestStore<Action: Sendable, State: Sendable & Equatable, Route: Sendable, Result>(
  navigator: TestNavigator<Route>? = nil as TestNavigator<Never>?, exhaustivity: Exhaustivity = .on,
  file: StaticString = #filePath, line: UInt = #line,
  _ makeViewModel: (TestScheduler) throws -> RxViewModel<Action, State>,
  test body: (TestStore<Action, State>) throws -> Result
) throws -> Result {
  try TestStore(navigator: navigator, exhaustivity: exhaustivity, file: file, line: line, makeViewModel).finishing(body)
}

/// Makes a store, calls an asynchronous `body` with it, and finishes it. Otherwise like
/// ``withTestStore(_:navigator:exhaustivity:file:line:_:)``.
@discardableResult
public func withTestStore<Action: Sendable, State: Sendable & Equatable, Route: Sendable, Result>(
  _ viewModel: RxViewModel<Action, State>, navigator: TestNavigator<Route>? = nil as TestNavigator<Never>?,
  exhaustivity: Exhaustivity = .on, isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath,
  line: UInt = #line, _ body: (TestStore<Action, State>) async throws -> Result
) async throws -> Result {
  try await TestStore(viewModel, navigator: navigator, exhaustivity: exhaustivity, file: file, line: line).finishing(
    body)
}

/// Makes a scheduler, a view model on it and a store, calls an asynchronous `body` with the store, and finishes it. Otherwise like
/// ``withTestStore(navigator:exhaustivity:file:line:_:test:)``.
@discardableResult
public func withTestStore<Action: Sendable, State: Sendable & Equatable, Route: Sendable, Result>(
  navigator: TestNavigator<Route>? = nil as TestNavigator<Never>?, exhaustivity: Exhaustivity = .on,
  isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath, line: UInt = #line,
  _ makeViewModel: (TestScheduler) throws -> RxViewModel<Action, State>,
  test body: (TestStore<Action, State>) async throws -> Result
) async throws -> Result {
  try await TestStore(navigator: navigator, exhaustivity: exhaustivity, file: file, line: line, makeViewModel)
    .finishing(body)
}

extension TestStore {
  /// Calls `body`, and finishes the store at its end. A failure there has the place of the call of `withTestStore`.
  fileprivate func finishing<Result>(_ body: (TestStore) throws -> Result) throws -> Result {
    let result = try failing { try body(self) }
    try finishAtEnd()
    return result
  }

  fileprivate func finishing<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (TestStore) async throws -> Result
  ) async throws -> Result {
    // `body` and this function use the store one after the other.
    nonisolated(unsafe) let store = self
    do {
      let result = try await body(store)
      try finishAtEnd()
      return result
    } catch {
      duty = .failed
      throw error
    }
  }

  private func finishAtEnd() throws {
    try finishAll([self], Place(file: origin.file, line: origin.line, prefix: "at the end of withTestStore, "))
  }
}
