import RxViewModel
import RxViewModelTesting
import Testing

// contract 4.4
@Suite struct ExhaustivityTests {
  private let scheduler = TestScheduler()

  private func makeStore(_ exhaustivity: Exhaustivity) -> TestStore<CatalogAction, Catalog> {
    TestStore(CatalogViewModel(scheduler), exhaustivity: exhaustivity)
  }

  @Test func aSupersededActionNeedsNoName() throws {
    let store = makeStore(.on(ignoring: .superseded))
    try store.send(.search("a"))
    try store.send(.search("b"))
    try store.advance(by: .milliseconds(300)) { $0.query = "b" }
    try store.finish()
  }

  @Test func aSupersededActionThatHasNotStartedNeedsNoName() throws {
    let store = makeStore(.on(ignoring: .superseded))
    for text in ["a", "b", "c"] { try store.send(.search(text), mode: .switchLatest("search", after: .seconds(1))) }
    try store.send(.search("d"), mode: .sequence("search"))
    try store.send(.search("e"), mode: .switchLatest("search"))
    try store.advance(by: .milliseconds(300)) { $0.query = "e" }
    try store.finish()
  }

  @Test func everyOtherEndNeedsAName() throws {
    let store = makeStore(.on(ignoring: .superseded))
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

  // A test may name a superseded action all the same. The store skips the superseded actions before a named end.
  @Test func aSupersededActionMayBeNamed() throws {
    let store = makeStore(.on(ignoring: .superseded))
    for text in ["a", "b", "c"] { try store.send(.search(text)) }
    try store.send(.login)
    try store.expect(.cancelled, of: .search("b"))
    try store.expect(.failed(WrongPassword()), of: .login)
    #expect(throws: TestFailure.self) { try store.expect(.cancelled, of: .search("a")) }
  }

  @Test func aPartWithoutExhaustivity() throws {
    let store = makeStore(.on)
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

  @Test func anEndBeforeAPartHasToBeNamed() throws {
    let store = makeStore(.on)
    try store.send(.login)
    #expect(throws: TestFailure.self) { try store.exhaustivity(.off) { try store.send(.increment) } }
    #expect(store.state.count == 0)
  }

  @Test func anEndInAnExhaustivePartHasToBeNamedInIt() throws {
    let store = makeStore(.off)
    try store.send(.login)
    #expect(throws: TestFailure.self) { try store.exhaustivity(.on) { try store.send(.login) } }
    try store.exhaustivity(.on) { try store.send(.increment) { $0.count = 1 } }
    try store.send(.login)
  }

  @Test func aPartThatThrowsEnds() throws {
    let store = makeStore(.on)
    #expect(throws: TestError("mine")) { try store.exhaustivity(.off) { throw TestError("mine") } }
    #expect(throws: TestFailure.self) { try store.send(.increment) }
  }

  @Test func anAsynchronousPart() async throws {
    let store = makeStore(.on)
    try await store.exhaustivity(.off) {
      try store.send(.login)
      try await store.settle()
    }
    try store.finish()
  }

  @Test func valuesAreEqual() {
    #expect(Exhaustivity.on == .on && .on != Exhaustivity.off && .on(ignoring: .superseded) != Exhaustivity.on)
  }
}
