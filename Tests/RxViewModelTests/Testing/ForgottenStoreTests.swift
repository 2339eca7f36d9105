import RxViewModel
import RxViewModelTesting
import Testing

// contract 4.2
@Suite("A TestStore that is released too early, outside a test, traps", .ownThread) struct ForgottenStoreTests {
  #if os(macOS) || os(Linux)
    private func sentence(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func anUnfinishedActionIsTrapped() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler()
        let store = TestStore(CatalogViewModel(scheduler), file: "Tests/ScreenTests.swift", line: 12)
        try store.send(.watch)
      }
      #expect(
        sentence(result).contains(
          """
          TestStore: A store of CatalogViewModel was released without finish(), with something unasserted or unfinished. \
          The store was made, ScreenTests.swift:12:
            #1 watch dropWhileBusy: running since 0.0 seconds
          If another failure has ended the test, fix that one first: it has released the store early.
          """))
    }

    @Test func anUnassertedEndIsTrapped() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler()
        let store = TestStore(CatalogViewModel(scheduler))
        try store.send(.login, file: "ScreenTests.swift", line: 7)
      }
      #expect(sentence(result).contains("#1 login parallel: failed: WrongPassword 1 (send at ScreenTests.swift:7)"))
      #expect(sentence(result).contains("ForgottenStoreTests.swift:"))
    }

    @Test func anUnassertedChangeIsTrapped() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler()
        let store = TestStore(CatalogViewModel(scheduler))
        store.viewModel.execute(.increment)
        scheduler.advance()
        withExtendedLifetime(store) {}
      }
      #expect(sentence(result).contains("the state changed (before the first call of the store), - before, + after:"))
    }

    @Test func anUnassertedRouteIsTrapped() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (scheduler, screens) = (TestScheduler(), TestNavigator<String>())
        let store = TestStore(CatalogViewModel(scheduler), navigator: screens)
        screens.navigator.navigate("a")
        withExtendedLifetime(store) {}
      }
      #expect(sentence(result).contains("route \"a\""))
    }

    // contract 4.6
    @Test func inAnExplorationItFailsTheRun() {
      let failure = #expect(throws: TestFailure.self) {
        try explore { run in
          let store = TestStore(CatalogViewModel(run.scheduler), file: "Tests/ScreenTests.swift", line: 12)
          if run.choose(false, true) { try store.send(.watch) }
        }
      }
      let text = failure?.description ?? ""
      #expect(text.contains("fails in 1 of 2 orders, first in \"1\""))
      #expect(text.contains("A store of CatalogViewModel was released without finish()"))
      #expect(text.contains("ScreenTests.swift:12"))
    }

    // A call after `finish` requires another `finish`.
    @Test func aCallAfterFinishIsTrapped() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler()
        let store = TestStore(CatalogViewModel(scheduler))
        try store.finish()
        try store.send(.watch)
      }
      #expect(sentence(result).contains("was released without finish()"))
    }

    @Test func anotherSchedulerIsTrapped() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = TestStore(
          CatalogViewModel(TestScheduler()), scheduler: TestScheduler(), file: "ScreenTests.swift", line: 12)
      }
      #expect(sentence(result).contains("works on another scheduler than the one of the store"))
      #expect(sentence(result).contains("ScreenTests.swift:12"))
    }

    @Test func aClosureThatIgnoresTheSchedulerIsTrapped() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler()
        _ = TestStore(file: "ScreenTests.swift", line: 12) { _ in CatalogViewModel(scheduler) }
      }
      #expect(sentence(result).contains("than the one of the store: pass it the argument of the closure"))
    }

    @Test func aSchedulerOfAnotherKindIsTrapped() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = TestStore(CounterViewModel(scheduler: ImmediateScheduler()), file: "ScreenTests.swift", line: 12)
      }
      #expect(
        sentence(result).contains(
          "TestStore, ScreenTests.swift:12: CounterViewModel works on a scheduler of the type ImmediateScheduler"))
    }

    @Test func aReleasedSchedulerIsTrapped() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = TestStore(CounterViewModel(scheduler: TestScheduler()))
      }
      #expect(sentence(result).contains("TestScheduler that has been released: keep the scheduler in a let"))
    }
  #endif

  private let scheduler = TestScheduler()

  private func makeStore(_ exhaustivity: Exhaustivity = .on) -> TestStore<CatalogAction, Catalog> {
    TestStore(CatalogViewModel(scheduler), exhaustivity: exhaustivity)
  }

  @Test func aStoreThatHasThrownAsksForNothing() throws {
    let store = makeStore()
    #expect(throws: TestFailure.self) { try store.send(.increment) }
    try store.send(.watch)
  }

  @Test func aStoreThatHasFinishedAsksForNothing() throws {
    let store = makeStore()
    try store.finish()
    store.viewModel.execute(.watch)
    scheduler.advance()
  }

  @Test func aStoreWithoutExhaustivityAsksForNothing() throws {
    let store = makeStore(.off)
    try store.send(.watch)
    try store.send(.login)
  }

  @Test func aStoreWithNothingUnfinishedAsksForNothing() throws {
    let store = makeStore()
    try store.send(.increment) { $0.count = 1 }
  }

  // The store retains its view model until the store itself is released.
  @Test func theStoreRetainsTheViewModel() throws {
    weak var released: CatalogViewModel?
    do {
      let viewModel = CatalogViewModel(scheduler)
      released = viewModel
      let store = TestStore(viewModel)
      _ = consume viewModel
      try store.send(.increment) { $0.count = 1 }
      #expect(released != nil && store.viewModel === released)
      try store.finish()
    }
    scheduler.advance()
    #expect(released == nil)
  }
}
