import RxViewModel
import RxViewModelTesting
import Testing

// contract 4.2
@Suite("TestStore.settle waits for what leaves virtual time") struct SettleTests {
  // In real time, one second: alone, since other tests hold the main actor longer.
  @Test(.stress) func anEffectOnTheMainActorEndsWithinIt() async throws {
    for _ in 0..<1_000 {
      let scheduler = TestScheduler()
      let viewModel = CatalogViewModel(scheduler)
      let store = TestStore(viewModel)
      try store.send(.incrementOnMain)
      try await store.settle()
      try store.advance { $0.count = 1 }
      try store.finish()
    }
  }

  @MainActor @Test(.stress) func alsoInATestOnTheMainActor() async throws {
    let scheduler = TestScheduler()
    let viewModel = CatalogViewModel(scheduler)
    let store = TestStore(viewModel)
    try store.send(.incrementOnMain)
    try await store.settle()
    #expect(throws: TestFailure.self) { try store.finish() }
    try store.advance { $0.count = 1 }
    try store.finish()
  }

  @Test func anEffectThatNeverEndsIsNamed() async throws {
    let scheduler = TestScheduler()
    let viewModel = CatalogViewModel(scheduler)
    let store = TestStore(viewModel)
    try store.send(.watch)
    let failure = await #expect(throws: TestFailure.self) {
      try await store.settle(timeout: .milliseconds(20), file: "ScreenTests.swift", line: 12)
    }
    #expect(
      failure?.description == """
        1 action has not ended within 0.02 seconds, ScreenTests.swift:12:
          #1 watch dropWhileBusy: at work since 0.0 seconds
        """)
  }
}
