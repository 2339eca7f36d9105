import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4.2
struct WithTestStoreTests {
  private let scheduler = TestScheduler()

  @Test func anotherSchedulerIsAFailure() {
    let another = failureText {
      try withTestStore(CounterViewModel(scheduler: ImmediateScheduler()), file: "ScreenTests.swift", line: 12) { _ in }
    }
    #expect(
      another == """
        CounterViewModel runs on a scheduler of type ImmediateScheduler: make it with a TestScheduler, \
        ScreenTests.swift:12
        """)
    let released = failureText { try withTestStore(CounterViewModel(scheduler: TestScheduler())) { _ in } }
    #expect(released.contains("that has been released: keep the scheduler in a let"))
  }

  // The store retains its view model until the end of the test.
  @Test func theStoreRetainsTheViewModel() throws {
    weak var released: CatalogViewModel?
    try withTestStore(
      {
        let viewModel = CatalogViewModel(scheduler)
        released = viewModel
        return viewModel
      }()
    ) { store in
      try store.send(.increment) { $0.count = 1 }
      #expect(released != nil && store.viewModel === released)
    }
    scheduler.advance()
    #expect(released == nil)
  }

  // contract 4.6
  @Test func inAnExplorationItFailsTheRun() {
    let text = failureText {
      try explore { run in
        try withTestStore(CatalogViewModel(run.scheduler), file: "Tests/ScreenTests.swift", line: 12) { store in
          if run.choose(false, true) { try store.send(.watch) }
        }
      }
    }
    #expect(text.contains("fails in 1 of 2 orders, first in \"1\""))
    #expect(text.contains("1 action has not ended at the end of the test, ScreenTests.swift:12"))
  }

  // contract 4.5
  @Test func aChangeDuringTheLastWorkIsThatOfFinish() {
    let text = failureText {
      try withTestStore(CounterViewModel(scheduler: scheduler), file: "Tests/ScreenTests.swift", line: 12) { store in
        let viewModel = store.viewModel
        scheduler.schedule { viewModel.execute(.increment) }
      }
    }
    #expect(
      text == """
        The test did not assert an event, ScreenTests.swift:12:
          the state changed (the end of withTestStore at ScreenTests.swift:12), - before, + after:
        - - 0
        + - 1
        """)
  }

  @Test func rethrowsAnErrorOfTheTestAndAsksForNothing() {
    #expect(throws: TestError("mine")) {
      try withTestStore(CatalogViewModel(scheduler)) { store in
        try store.send(.watch)
        try store.send(.increment) { _ in throw TestError("mine") }
      }
    }
  }

  @Test func theAsynchronousFormFinishesToo() async throws {
    let count = try await withTestStore(CatalogViewModel(scheduler)) { store in
      try store.send(.increment) { $0.count = 1 }
      try await store.settle()
      return store.state.count
    }
    #expect(count == 1)
    await #expect(throws: TestFailure.self) {
      try await withTestStore(CatalogViewModel(scheduler)) { store in
        await Task.yield()
        try store.send(.watch)
      }
    }
  }

  @MainActor @Test func theAsynchronousFormOnTheMainActor() async throws {
    let screens = TestNavigator<String>()
    var states: [Int] = []
    try await withTestStore(CatalogViewModel(scheduler), navigator: screens) { store in
      try store.send(.increment) { $0.count = 1 }
      try await store.settle()
      states.append(store.state.count)
      screens.navigator.navigate("a")
      try store.expect(route: "a")
    }
    #expect(states == [1])
  }
}

// contract 4.2
/// TestStore.settle waits for work that leaves virtual time.
struct SettleTests {
  private let scheduler = TestScheduler()

  // `settle` waits at most one second of real time. Among all other tests that may be too short, because they occupy the main actor.
  @Test(.stress) func anEffectOnTheMainActorEndsDuringSettle() async throws {
    for _ in 0..<1_000 {
      try await withTestStore(CatalogViewModel(scheduler)) { store in
        try store.send(.incrementOnMain)
        try await store.settle()
        try store.expect { $0.count = 1 }
      }
    }
  }

  @MainActor @Test(.stress) func settleWorksInATestOnTheMainActor() async throws {
    try await withTestStore(CatalogViewModel(scheduler)) { store in
      try store.send(.incrementOnMain)
      try await store.settle()
      try store.expect { $0.count = 1 }
    }
  }

  @Test func anEffectThatNeverEndsIsReported() async throws {
    let failure = await #expect(throws: TestFailure.self) {
      try await withTestStore(CatalogViewModel(scheduler)) { store in
        try store.send(.watch)
        try await store.settle(timeout: .milliseconds(20), file: "ScreenTests.swift", line: 12)
      }
    }
    #expect(
      failure?.description == """
        1 action has not ended within 0.02 seconds, ScreenTests.swift:12:
          #1 watch dropWhileBusy: running since 0.0 seconds
        """)
  }
}
