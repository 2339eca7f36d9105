import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4.2
@Suite struct WithTestStoreTests {
  private let scheduler = TestScheduler()

  @Test func finishesAtTheEnd() {
    let failure = #expect(throws: TestFailure.self) {
      try withTestStore(CatalogViewModel(scheduler), file: "Tests/ScreenTests.swift", line: 12) { store in
        try store.send(.watch)
      }
    }
    #expect(
      failure?.description == """
        1 action has not ended at the end of the test, ScreenTests.swift:12:
          #1 watch dropWhileBusy: running since 0.0 seconds
        """)
  }

  @Test func anotherSchedulerIsAFailure() {
    let another = #expect(throws: TestFailure.self) {
      try withTestStore(CounterViewModel(scheduler: ImmediateScheduler()), file: "ScreenTests.swift", line: 12) { _ in }
    }
    #expect(
      another?.description == """
        CounterViewModel runs on a scheduler of type ImmediateScheduler: make it with a TestScheduler, \
        ScreenTests.swift:12
        """)
    let released = #expect(throws: TestFailure.self) {
      try withTestStore(CounterViewModel(scheduler: TestScheduler())) { _ in }
    }
    #expect(released?.description.contains("that has been released: keep the scheduler in a let") == true)
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
    let failure = #expect(throws: TestFailure.self) {
      try explore { run in
        try withTestStore(CatalogViewModel(run.scheduler), file: "Tests/ScreenTests.swift", line: 12) { store in
          if run.choose(false, true) { try store.send(.watch) }
        }
      }
    }
    let text = failure?.description ?? ""
    #expect(text.contains("fails in 1 of 2 orders, first in \"1\""))
    #expect(text.contains("1 action has not ended at the end of the test, ScreenTests.swift:12"))
  }

  // contract 4.5
  @Test func aChangeDuringTheLastWorkIsThatOfFinish() {
    let failure = #expect(throws: TestFailure.self) {
      try withTestStore(CounterViewModel(scheduler: scheduler), file: "Tests/ScreenTests.swift", line: 12) { store in
        let viewModel = store.viewModel
        scheduler.schedule { viewModel.execute(.increment) }
      }
    }
    #expect(
      failure?.description == """
        The test did not assert an event, ScreenTests.swift:12:
          the state changed (the end of withTestStore at ScreenTests.swift:12), - before, + after:
        - - 0
        + - 1
        """)
  }

  @Test func returnsTheResultOfItsBody() throws {
    let count = try withTestStore(CatalogViewModel(scheduler)) { store in
      try store.send(.increment) { $0.count = 1 }
      return store.state.count
    }
    #expect(count == 1)
  }

  @Test func rethrowsTheErrorOfItsBodyAndAsksForNothing() {
    #expect(throws: TestError("mine")) {
      try withTestStore(CatalogViewModel(scheduler)) { store in
        try store.send(.watch)
        throw TestError("mine")
      }
    }
  }

  @Test func passesItsExhaustivityOn() throws {
    try withTestStore(CatalogViewModel(scheduler), exhaustivity: .off) { store in
      try store.send(.watch)
      try store.send(.login)
    }
  }

  @Test func assertsTheRoutes() throws {
    let screens = TestNavigator<String>()
    try withTestStore(CatalogViewModel(scheduler), navigator: screens) { store in
      screens.navigator.navigate("a")
      try store.expect(route: "a")
    }
    #expect(throws: TestFailure.self) {
      try withTestStore(CatalogViewModel(scheduler), navigator: screens) { _ in screens.navigator.navigate("a") }
    }
  }

  @Test func theAsynchronousForm() async throws {
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
    await #expect(throws: TestError("mine")) {
      try await withTestStore(CatalogViewModel(scheduler)) { store in
        await Task.yield()
        try store.send(.watch)
        throw TestError("mine")
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
