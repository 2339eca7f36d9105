import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.4
struct ExhaustivityTests {
  private let scheduler = TestScheduler()

  private func makeStore(_ exhaustivity: Exhaustivity) throws -> TestStore<CatalogAction, Catalog> {
    try TestStore(CatalogViewModel(scheduler), exhaustivity: exhaustivity)
  }

  @Test func withoutExhaustivityOnlyWhatTheTestAssertsIsCompared() throws {
    try withTestStore(CatalogViewModel(scheduler), exhaustivity: .off) { store in
      try store.send(.load) { $0.items = [1] }
      try store.send(.increment) { _ in }
      #expect(throws: TestFailure.self) { try store.send(.increment) { $0.count = 1 } }
      try store.send(.login)
      try store.send(.watch)
      try store.send(.watch)
      try store.expect(.dropped, of: .watch)
    }
  }

  // MARK: Ends that need no assertion

  @Test func aSupersededActionThatHasNotStartedNeedsNoAssertion() throws {
    let store = try makeStore(.on(ignoring: .superseded))
    for text in ["a", "b", "c"] { try store.send(.search(text), mode: .switchLatest("search", after: .seconds(1))) }
    try store.send(.search("d"), mode: .sequence("search"))
    try store.send(.search("e"), mode: .switchLatest("search"))
    try store.advance(by: .milliseconds(300)) { $0.query = "e" }
    try store.finish()
  }

  @Test func everyOtherEndNeedsAnAssertion() throws {
    let store = try makeStore(.on(ignoring: .superseded))
    try store.send(.search("a"))
    store.viewModel.cancelActions { _ in true }
    try store.advance()
    #expect(throws: TestFailure.self) { try store.finish() }
    try store.expect(.cancelled, of: .search("a"))
    try store.send(.watch)
    try store.send(.watch)
    #expect(throws: TestFailure.self) { try store.finish() }
    try store.expect(.dropped)
    #expect(throws: TestFailure.self) { try store.finish() }
  }

  // A test may assert a superseded action all the same. The store skips the superseded actions before an asserted end.
  @Test func aSupersededActionMayBeAsserted() throws {
    let store = try makeStore(.on(ignoring: .superseded))
    for text in ["a", "b", "c"] { try store.send(.search(text)) }
    try store.send(.login)
    try store.expect(.cancelled, of: .search("b"))
    try store.expect(.failed(WrongPassword()), of: .login)
    #expect(throws: TestFailure.self) { try store.expect(.cancelled, of: .search("a")) }
  }

  @Test func aDroppedActionMayBeIgnored() throws {
    let store = try makeStore(.on(ignoring: [.superseded, .dropped]))
    try store.send(.watch)
    try store.send(.watch)
    try store.send(.search("a"))
    try store.send(.search("b"))
    store.viewModel.clear()
    try store.finish()
  }

  // MARK: A part of a test

  @Test func aPartWithoutExhaustivity() throws {
    let store = try makeStore(.on)
    let count = try store.exhaustivity(.off) {
      try store.send(.load) { $0.items = [1] }
      try store.send(.login)
      try store.send(.increment)
      return store.state.count
    }
    #expect(count == 1)
    try store.send(.increment) { $0.count = 2 }
    try store.finish()
  }

  @Test func anEndBeforeAPartHasToBeAsserted() throws {
    let store = try makeStore(.on)
    try store.send(.login)
    #expect(throws: TestFailure.self) { try store.exhaustivity(.off) { try store.send(.increment) } }
    #expect(store.state.count == 0)
  }

  @Test func anEndInAnExhaustivePartHasToBeAssertedInIt() throws {
    let store = try makeStore(.off)
    try store.send(.login)
    #expect(throws: TestFailure.self) { try store.exhaustivity(.on) { try store.send(.login) } }
    try store.expect(.failed(WrongPassword()))
    try store.expect(.failed(WrongPassword()))
    try store.exhaustivity(.on) { try store.send(.increment) { $0.count = 1 } }
  }

  @Test func aPartThatThrowsEnds() throws {
    let store = try makeStore(.on)
    #expect(throws: TestError("mine")) { try store.exhaustivity(.off) { throw TestError("mine") } }
    try store.send(.increment)
    #expect(throws: TestFailure.self) { try store.finish() }
  }

  @Test func anAsynchronousPart() async throws {
    let store = try makeStore(.on)
    try await store.exhaustivity(.off) {
      try store.send(.login)
      try await store.settle()
    }
    try store.send(.login)
    #expect(throws: TestFailure.self) { try store.finish() }
  }

  // Events inside a part may be asserted right behind it.
  @Test func whatHappensInAPartIsNotLost() throws {
    let store = try makeStore(.on)
    try store.exhaustivity(.off) {
      try store.send(.watch)
      try store.send(.watch)
      try store.send(.login)
    }
    try store.expect(.dropped, of: .watch)
    try store.expect(.failed(WrongPassword()), of: .login)
    #expect(throws: TestFailure.self) { try store.expect(.dropped, of: .watch) }
  }

  @Test func aChangeInAPartMayBeAssertedBehindIt() throws {
    let store = try makeStore(.on)
    try store.exhaustivity(.off) {
      try store.send(.increment)
      try store.send(.load)
    }
    try store.expect { $0.isBusy = true }
    try store.expect { $0.items = [1] }
    #expect(throws: TestFailure.self) { try store.expect { $0.count = 1 } }
    // What comes later is asserted first.
    try store.exhaustivity(.off) { try store.send(.increment) }
    try store.send(.increment) { $0.count += 1 }
    #expect(store.state.count == 3)
    try store.finish()
  }

  @Test func whatAnOuterExhaustivityIgnoresIsNotRequiredInAPart() throws {
    let store = try makeStore(.on(ignoring: .superseded))
    try store.send(.search("a"))
    try store.send(.search("b"))
    try store.exhaustivity(.on) { try store.advance(by: .milliseconds(300)) { $0.query = "b" } }
    try store.finish()
  }

  // MARK: Additional assertions

  /// A store of a view model that adds one: after a second, with a spinner, for an action above zero. An action below zero changes nothing.
  private func makeSpinnerStore(_ exhaustivity: Exhaustivity = .on) throws -> TestStore<Int, Int> {
    let viewModel = ClosureViewModel<Int, Int>(0, scheduler: scheduler) { model, action in
      if action < 0 { return .unchanged() }
      if action == 0 { return .mutate { $0 += 1 } }
      return Observable.timer(.seconds(1), scheduler: model.scheduler).mutate { state, _ in state += 1 }
    } overrides: {
      $0.spins = { _, action in action > 0 }
    }
    return try TestStore(viewModel, exhaustivity: exhaustivity)
  }

  @Test func loadingIsAsserted() throws {
    let store = try makeSpinnerStore(.on(including: .loading))
    try store.send(1)
    #expect(throws: TestFailure.self) { try store.expect(isLoading: false) }
    try store.expect(isLoading: true)
    try store.advance(by: .seconds(1)) { $0 = 1 }
    #expect(failureText { try store.finish() }.contains("isLoading: false (advance at ExhaustivityTests.swift"))
    try store.expect(isLoading: false)
    try store.send(0) { $0 = 2 }
    try store.finish()
  }

  @Test func aFoldThatChangesNothingIsExpected() throws {
    let store = try makeStore(.on(including: .unchanged))
    try store.send(.refresh)
    #expect(failureText { try store.send(.refresh) }.contains("a fold changed nothing"))
    try store.expect { _ in }
    #expect(throws: TestFailure.self) { try store.expect { _ in } }
    try store.send(.load) { $0.isBusy = true }
    try store.expect { $0.items = [1] }
    try store.send(.load) { _ in }
    try store.expect { _ in }
    #expect(throws: TestFailure.self) { try store.send(.increment) { _ in } }
    try store.finish()
  }

  @Test func aPartMayAskForMore() throws {
    let store = try makeSpinnerStore()
    try store.exhaustivity(.on(including: [.loading, .unchanged])) {
      try store.send(1)
      try store.expect(isLoading: true)
      try store.send(-1) { _ in }
    }
    try store.send(-1)
    try store.advance(by: .seconds(1)) { $0 = 1 }
    try store.finish()
    try store.expect(isLoading: false)
  }
}
