import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.2
/// A TestStore requires the test to assert everything that happens.
struct TestStoreTests {
  private let scheduler = TestScheduler()
  private let viewModel: CatalogViewModel
  private let store: TestStore<CatalogAction, Catalog>

  init() throws {
    viewModel = CatalogViewModel(scheduler)
    store = try TestStore(viewModel)
  }

  // An equal state, a completion and a handled error are no events.
  @Test func eachChangeIsAssertedAndNothingElse() throws {
    try store.send(.load) { $0.isBusy = true }
    try store.expect { $0.items = [1] }
    for action in [CatalogAction.load, .refresh, .handled] { try store.send(action) }
    try store.finish()
  }

  @Test(
    arguments: [
      ([.load], "the state changed (send at TestStoreTests.swift:"),
      ([.login], "login: failed: WrongPassword 1 (send at TestStoreTests.swift:"),
      ([.watch, .watch], "watch: dropped (busy with #1 watch) (send at TestStoreTests.swift:"),
      ([.search("a"), .search("b")], "search(\"a\"): cancelled (superseded by #2 search(\"b\")) (send at TestStore"),
    ] as [([CatalogAction], String)])
  func anEventHasToBeAssertedBeforeTheNextCall(actions: [CatalogAction], event: String) throws {
    for action in actions { try store.send(action) }
    for call in [{ try store.send(.increment) }, { try store.advance() }, { try store.finish() }] {
      let text = failureText(call)
      #expect(text.hasPrefix("The test did not assert ") && text.contains(event), "\(text)")
    }
    #expect(viewModel.currentState.count == 0)
  }

  @Test func anEndIsAssertedWithItsActionAndItsError() throws {
    try store.send(.login)
    #expect(throws: TestFailure.self) { try store.expect(.failed(WrongPassword(attempt: 2)), of: .login) }
    #expect(throws: TestFailure.self) { try store.expect(.failed(WrongPassword()), of: .refresh) }
    #expect(throws: TestFailure.self) { try store.expect(.cancelled, of: .login) }
    try store.expect(.failed(WrongPassword()), of: .login)
    try store.finish()
  }

  @Test func expectRunsNoWork() throws {
    viewModel.execute(.increment)
    #expect(throws: TestFailure.self) { try store.expect { $0.count = 1 } }
    try store.advance { $0.count = 1 }
    try store.finish()
  }

  @Test func anErrorWithoutAnActionHasToBeAsserted() throws {
    let actions = Observable<CatalogAction>.error(TestError()).execute(on: viewModel)
    try store.advance()
    #expect(throws: TestFailure.self) { try store.finish() }
    try store.expect(.failed(TestError()))
    try store.finish()
    actions.dispose()
  }

  @Test func theFirstAdvanceAssertsTheChangesOfTheInitializer() throws {
    let store = try TestStore(CatalogViewModel(scheduler, executing: .increment))
    try store.advance { $0.count = 1 }
    try store.finish()
  }

  // An action that begins during the last work of `finish`: the work that it needs comes later.
  @Test func anActionThatBeginsDuringFinishIsUnfinished() throws {
    let viewModel = viewModel
    scheduler.schedule { viewModel.execute(.watch) }
    #expect(
      failureText { try store.finish(file: "ScreenTests.swift", line: 12) } == """
        1 action has not ended at the end of the test, ScreenTests.swift:12:
          #1 watch dropWhileBusy: running since 0.0 seconds
        """)
  }

  @Test(arguments: ["send", "advance", "settle", "the end"]) func endlessWorkFailsTheTest(_ call: String) async throws {
    let (store, scheduler) = (try TestStore(viewModel), scheduler)
    @Sendable func again() { scheduler.schedule { again() } }
    again()
    let failure = await #expect(throws: TestFailure.self) {
      switch call {
      case "send": try store.send(.increment) { $0.count = 1 }
      case "advance": try store.advance(by: .seconds(1))
      case "settle": try await store.settle()
      default: try store.finish()
      }
    }
    #expect(failure?.description.hasPrefix("100000 pieces of work at 0.0 seconds, and more is due then") == true)
  }

  // contract 4.2, 4.7
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor @Test func releasingTheStoreEndsItsSubscriptions() throws {
    let (lifetimes, stream) = (Lifetimes(), PublishSubject<Int>())
    let viewModel = ClosureViewModel<Lifetimes.Object, Int>(0, scheduler: scheduler) { _, _ in .error(TestError()) }
    do {
      let store = try TestStore(viewModel)
      _ = store.record(stream)
      viewModel.execute(lifetimes.make())
      try store.advance()
      #expect(stream.hasObservers && lifetimes.alive == 1)
      withExtendedLifetime(store) {}
    }
    scheduler.advance()
    // The view model keeps the failure for its views.
    viewModel.activity.failure = nil
    #expect(!stream.hasObservers && lifetimes.alive == 0)
  }
}
