import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.2
@Suite("TestStore.settle waits for work that leaves virtual time") struct SettleTests {
  // `settle` waits at most one second of real time. Among all other tests that may be too short, because they occupy the main actor.
  @Test(.stress) func anEffectOnTheMainActorEndsDuringSettle() async throws {
    for _ in 0..<1_000 {
      let scheduler = TestScheduler()
      let viewModel = CatalogViewModel(scheduler)
      let store = try TestStore(viewModel)
      try store.send(.incrementOnMain)
      try await store.settle()
      try store.expect { $0.count = 1 }
      try store.finish()
    }
  }

  @MainActor @Test(.stress) func settleWorksInATestOnTheMainActor() async throws {
    let scheduler = TestScheduler()
    let viewModel = CatalogViewModel(scheduler)
    let store = try TestStore(viewModel)
    try store.send(.incrementOnMain)
    try await store.settle()
    #expect(throws: TestFailure.self) { try store.finish() }
    try store.expect { $0.count = 1 }
    try store.finish()
  }

  @Test func anEffectThatNeverEndsIsReported() async throws {
    let scheduler = TestScheduler()
    let viewModel = CatalogViewModel(scheduler)
    let store = try TestStore(viewModel)
    try store.send(.watch)
    let failure = await #expect(throws: TestFailure.self) {
      try await store.settle(timeout: .milliseconds(20), file: "ScreenTests.swift", line: 12)
    }
    #expect(
      failure?.description == """
        1 action has not ended within 0.02 seconds, ScreenTests.swift:12:
          #1 watch dropWhileBusy: running since 0.0 seconds
        """)
  }
}
