import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.2
@Suite("A TestStore requires the test to assert everything that happens") struct TestStoreTests {
  private let scheduler = TestScheduler()
  private let viewModel: CatalogViewModel
  private let store: TestStore<CatalogAction, Catalog>

  init() throws {
    viewModel = CatalogViewModel(scheduler)
    store = try TestStore(viewModel)
  }

  @Test func aStepAssertsTheChange() throws {
    try store.send(.increment) { $0.count = 1 }
    #expect(store.state.count == 1)
    #expect(throws: TestFailure.self) { try store.send(.increment) { $0.count = 42 } }
  }

  @Test func eachChangeIsExpected() throws {
    try store.send(.load) { $0.isBusy = true }
    try store.expect { $0.items = [1] }
    try store.send(.load)
    try store.finish()
  }

  @Test func aChangeThatIsNotExpectedFails() throws {
    try store.send(.load) { $0.isBusy = true }
    for call in [{ try store.send(.refresh) }, { try store.advance() }, { try store.finish() }] {
      let failure = #expect(throws: TestFailure.self, performing: call)
      #expect(failure?.description.contains("The test did not assert an event") == true)
    }
    #expect(store.state.count == 0)
    try store.expect { $0.items = [1] }
    try store.finish()
  }

  @Test func anExpectedChangeThatDoesNotHappenFails() {
    #expect(throws: TestFailure.self) { try store.send(.refresh) { $0.count = 1 } }
    #expect(throws: TestFailure.self) { try store.expect { $0.count = 1 } }
  }

  @Test func aClosureThatChangesNothingFails() throws {
    #expect(throws: TestFailure.self) { try store.send(.refresh) { _ in } }
    #expect(throws: TestFailure.self) { try store.send(.increment) { _ in } }
  }

  @Test func expectRunsNoWork() throws {
    viewModel.execute(.increment)
    #expect(throws: TestFailure.self) { try store.expect { $0.count = 1 } }
    try store.advance { $0.count = 1 }
    try store.finish()
  }

  @Test func anActionThatLeavesTheStateIsNoChange() throws {
    try store.send(.refresh)
    try store.finish()
  }

  @Test func aDelayedChangeComesWithTheTime() throws {
    try store.send(.search("a"))
    try store.advance(by: .milliseconds(299))
    try store.advance(by: .milliseconds(1)) { $0.query = "a" }
    try store.finish()
  }

  @Test func aFailureHasToBeAssertedBeforeTheNextCall() throws {
    try store.send(.login)
    for call in [{ try store.send(.refresh) }, { try store.advance() }, { try store.finish() }] {
      let failure = #expect(throws: TestFailure.self, performing: call)
      #expect(failure?.description.contains("login: failed: WrongPassword 1") == true)
    }
    #expect(throws: TestFailure.self) { try store.expect(.failed(WrongPassword(attempt: 2)), of: .login) }
    #expect(throws: TestFailure.self) { try store.expect(.failed(TestError()), of: .login) }
    #expect(throws: TestFailure.self) { try store.expect(.failed(WrongPassword()), of: .refresh) }
    try store.expect(.failed(WrongPassword()), of: .login)
    try store.finish()
    #expect(throws: TestFailure.self) { try store.expect(.failed(WrongPassword())) }
  }

  @Test func aHandledErrorNeedsNoAssertion() throws {
    try store.send(.handled)
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

  @Test func aDroppedActionHasToBeAsserted() throws {
    try store.send(.watch)
    try store.send(.watch)
    try store.expect(.dropped, of: .watch)
    viewModel.clear()
    try store.finish()
  }

  @Test func aSupersededActionHasToBeAsserted() throws {
    try store.send(.search("a"))
    try store.send(.search("b"))
    try store.expect(.cancelled, of: .search("a"))
    try store.advance(by: .milliseconds(300)) { $0.query = "b" }
    try store.finish()
  }

  @Test func noActionMayBeUnfinishedAtTheEnd() throws {
    try store.advance(by: .milliseconds(20))
    try store.send(.watch)
    let failure = #expect(throws: TestFailure.self) { try store.finish() }
    #expect(failure?.description.contains("#1 watch dropWhileBusy: running since 0.02 seconds") == true)
    viewModel.cancelActions { $0 == .watch }
    try store.advance()
    try store.expect(.cancelled)
    try store.finish()
  }

  @Test func anActionThatWaitsForItsTurnIsUnfinished() throws {
    viewModel.execute(.refresh)
    let failure = #expect(throws: TestFailure.self) { try store.finish() }
    #expect(failure?.description.contains("#1 refresh: not started") == true)
  }

  @Test func anActionThatWaitsInItsLaneIsUnfinished() throws {
    try store.send(.search("a"), mode: .sequence)
    try store.send(.increment, mode: .sequence)
    let failure = #expect(throws: TestFailure.self) { try store.finish() }
    #expect(failure?.description.contains("#2 increment sequence: not started") == true)
  }

  // An action that begins during the last work of `finish`: the work that it needs comes later.
  @Test func anActionThatBeginsDuringFinishIsUnfinished() throws {
    let viewModel = viewModel
    scheduler.schedule { viewModel.execute(.watch) }
    let failure = #expect(throws: TestFailure.self) { try store.finish(file: "ScreenTests.swift", line: 12) }
    #expect(
      failure?.description == """
        1 action has not ended at the end of the test, ScreenTests.swift:12:
          #1 watch dropWhileBusy: running since 0.0 seconds
        """)
  }

  // contract 4.2: stores of view models that work together.
  @Test func oneStoreInsideAnother() throws {
    try withTestStore(viewModel) { store in
      let follower = CatalogViewModel(scheduler)
      let link = viewModel.actionAndStateObservable.map { _ in .increment }.execute(on: follower)
      try withTestStore(follower) { other in
        try store.send(.increment) { $0.count = 1 }
        try other.expect { $0.count = 1 }
      }
      link.dispose()
    }
    #expect(throws: TestFailure.self) {
      try withTestStore(viewModel) { _ in
        try withTestStore(CatalogViewModel(scheduler)) { try $0.send(.watch) }
      }
    }
  }

  @Test func anErrorOfTheClosureIsThrown() {
    #expect(throws: TestError("mine")) { try store.send(.increment) { _ in throw TestError("mine") } }
  }

  @Test func theFirstAdvanceAssertsTheChangesOfTheInitializer() throws {
    let store = try TestStore(CatalogViewModel(scheduler, executing: .increment))
    try store.advance { $0.count = 1 }
    try store.finish()
    let other = try TestStore(CatalogViewModel(scheduler, executing: .increment))
    #expect(throws: TestFailure.self) { try other.finish() }
    try other.expect { $0.count = 1 }
  }

  @Test func aChangeOutsideTheStoreHasToBeAsserted() throws {
    viewModel.execute(.increment)
    scheduler.advance()
    #expect(throws: TestFailure.self) { try store.send(.refresh) }
    #expect(throws: TestFailure.self) { try store.advance() }
    #expect(throws: TestFailure.self) { try store.finish() }
    try store.expect { $0.count = 1 }
    try store.finish()
  }

  @Test func withoutExhaustivityOnlyTheClosuresAreChecked() throws {
    let store = try TestStore(CatalogViewModel(scheduler), exhaustivity: .off)
    try store.send(.load) { $0.items = [1] }
    try store.send(.increment) { _ in }
    #expect(throws: TestFailure.self) { try store.send(.increment) { $0.count = 1 } }
    try store.send(.login)
    try store.send(.watch)
    try store.send(.watch)
    try store.expect(.dropped, of: .watch)
    try store.finish()
  }

  @Test func twoStoresOfOneViewModelAreEachExhaustive() throws {
    let other = try TestStore(viewModel)
    try store.send(.increment) { $0.count = 1 }
    #expect(throws: TestFailure.self) { try other.finish() }
    try other.expect { $0.count = 1 }
    try store.finish()
    try other.finish()
    #expect(store.state == other.state)
    try other.send(.login)
    try store.expect(.failed(WrongPassword()))
    try store.finish()
    #expect(throws: TestFailure.self) { try other.finish() }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor @Test func releasingTheStoreEndsItsSubscriptions() throws {
    let lifetimes = Lifetimes()
    let (scheduler, source) = (TestScheduler(), PublishSubject<Void>())
    let viewModel = WatchedViewModel(scheduler)
    do {
      let store = try TestStore(viewModel)
      viewModel.execute(lifetimes.make())
      try store.advance()
      try store.expect(.failed(TestError()))
      source.onNext(())
    }
    scheduler.advance()
    // The view model keeps the failure for its views.
    viewModel.activity.failure = nil
    #expect(lifetimes.alive == 0)
  }

  // contract 2.9
  @Test func clearLeavesNothingUnfinished() throws {
    try store.send(.watch)
    viewModel.clear()
    try store.advance()
    try store.finish()
  }
}

/// A view model whose actions are counted objects.
// Sendable: it stores nothing.
private final class WatchedViewModel: RxViewModel<Lifetimes.Object, Int>, @unchecked Sendable {
  init(_ scheduler: TestScheduler) {
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Lifetimes.Object) -> Effect {
    .error(TestError())
  }
}
