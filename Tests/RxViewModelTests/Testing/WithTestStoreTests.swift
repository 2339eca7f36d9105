import RxViewModel
import RxViewModelTesting
import Testing

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
        1 action has not ended, at the end of withTestStore, ScreenTests.swift:12:
          #1 watch dropWhileBusy: running since 0.0 seconds
        """)
  }

  @Test func makesAndRetainsTheScheduler() async throws {
    let screens = TestNavigator<String>()
    let now = try withTestStore {
      CatalogViewModel($0)
    } test: { store in
      try store.send(.search("a"))
      try store.advance(by: .milliseconds(300)) { $0.query = "a" }
      return store.scheduler.now
    }
    #expect(now == .milliseconds(300))
    #expect(throws: TestFailure.self) {
      try withTestStore {
        CatalogViewModel($0)
      } test: {
        try $0.send(.watch)
      }
    }
    try await withTestStore(navigator: screens) {
      CatalogViewModel($0)
    } test: { store in
      await Task.yield()
      try store.send(.increment) { $0.count = 1 }
    }
    #expect(throws: TestError("no view model")) {
      try withTestStore { _ -> CatalogViewModel in
        throw TestError("no view model")
      } test: { _ in
      }
    }
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
        The test did not assert an event, at the end of withTestStore, ScreenTests.swift:12:
          the state changed (finish at ScreenTests.swift:12), - before, + after:
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
