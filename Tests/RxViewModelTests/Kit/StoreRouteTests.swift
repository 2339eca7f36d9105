import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

private enum Place: Sendable, Equatable {
  case details(Int)
  case edit(Reply<Int>)
}

/// Navigates to the details for an action above zero. Requests a number for action 0.
private final class MapViewModel: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  private let navigator: Navigator<Place>

  init(_ navigator: Navigator<Place>, _ scheduler: TestScheduler) {
    self.navigator = navigator
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    if action == 0 { return navigator.request { .edit($0) }.mutate { $0 = $1 } }
    navigator.navigate(.details(action))
    return action > 9 ? .error(TestError()) : .unchanged()
  }
}

// contract 4.3
@Suite("A TestStore with a navigator requires the test to assert every route") struct StoreRouteTests {
  private let scheduler = TestScheduler()
  private let screens = TestNavigator<Place>()
  private let store: TestStore<Int, Int>

  init() throws {
    store = try TestStore(MapViewModel(screens.navigator, scheduler), navigator: screens)
  }

  @Test func aRouteHasToBeAssertedBeforeTheNextCall() throws {
    try store.send(1, file: "ScreenTests.swift", line: 5)
    for call in [{ try store.send(1) }, { try store.advance() }, { try store.finish() }] {
      let failure = #expect(throws: TestFailure.self, performing: call)
      #expect(failure?.description.contains("route details(1) (send at ScreenTests.swift:5)") == true)
    }
    try store.expect(route: Place.details(1))
    try store.finish()
    #expect(throws: TestFailure.self) { try store.expect(route: Place.details(1)) }
  }

  @Test func anotherRouteFails() throws {
    try store.send(1, file: "ScreenTests.swift", line: 5)
    let failure = #expect(throws: TestFailure.self) {
      try store.expect(route: Place.details(2), file: "ScreenTests.swift", line: 6)
    }
    #expect(
      failure?.description == """
        The next event is a different one (- expected, + actual), ScreenTests.swift:6:
        - route details(2)
        + route details(1) (send at ScreenTests.swift:5)
        """)
  }

  // The test asserts routes and ends in the order in which they happened.
  @Test func routesAndEndsHaveOneOrder() throws {
    try store.send(10)
    #expect(throws: TestFailure.self) { try store.expect(.failed(TestError()), of: 10) }
    try store.expect(route: Place.details(10))
    #expect(throws: TestFailure.self) { try store.expect(route: Place.details(10)) }
    try store.expect(.failed(TestError()), of: 10)
    try store.finish()
  }

  @Test func aRouteWithAReplyIsAssertedByACondition() throws {
    try store.send(0)
    #expect(throws: TestFailure.self) {
      try store.expect(route: Place.self) { if case .details = $0 { true } else { false } }
    }
    let failure = #expect(throws: TestFailure.self) { try store.finish() }
    #expect(failure?.description.contains("route edit(Reply<Int>)") == true)
    try store.expect(route: Place.self) { if case .edit = $0 { true } else { false } }
    guard case .edit(let reply)? = screens.routes.last else { throw TestError("no request") }
    reply.send(7)
    try store.advance { $0 = 7 }
    try store.finish()
  }

  @Test func withoutExhaustivityOtherRoutesAreSkipped() throws {
    try store.exhaustivity(.off) {
      try store.send(1)
      try store.send(2)
      try store.expect(route: Place.details(2))
      #expect(throws: TestFailure.self) { try store.expect(route: Place.details(1)) }
      try store.send(3)
    }
    try store.finish()
  }

  @Test func aRouteOfAnotherTypeIsAFailure() throws {
    try store.send(1)
    #expect(throws: TestFailure.self) { try store.expect(route: "a") }
  }

  @Test func aStoreWithoutANavigatorSaysSo() throws {
    let other = try TestStore(CatalogViewModel(scheduler))
    let failure = #expect(throws: TestFailure.self) { try other.expect(route: "a") }
    #expect(failure?.description.hasPrefix("The store has no navigator: write withTestStore(viewModel,") == true)
  }

  @Test func routesBeforeTheStoreNeedNoAssertion() throws {
    try store.finish()
    screens.navigator.navigate(.details(1))
    let other = try TestStore(MapViewModel(screens.navigator, scheduler), navigator: screens)
    try other.finish()
    #expect(throws: TestFailure.self) { try store.finish() }
  }
}

/// Navigates and folds in the order of the action's letters: `r` is a route, `s` a change.
private final class OrderViewModel: RxViewModel<String, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  private let navigator: Navigator<Int>

  init(_ navigator: Navigator<Int>, _ scheduler: TestScheduler) {
    self.navigator = navigator
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: String) -> Effect {
    let navigator = navigator
    return .concat(
      action.map { letter -> Effect in
        if letter == "s" { return .mutate { $0 += 1 } }
        return .deferred {
          navigator.navigate(0)
          return .empty()
        }
      })
  }
}

// contract 4.2
@Suite("Changes and routes are one sequence") struct StoreOrderTests {
  private let scheduler = TestScheduler()
  private let screens = TestNavigator<Int>()
  private let store: TestStore<String, Int>

  init() throws {
    store = try TestStore(OrderViewModel(screens.navigator, scheduler), navigator: screens)
  }

  @Test func aRouteBehindTheChange() throws {
    try store.send("sr") { $0 = 1 }
    try store.expect(route: 0)
    try store.finish()
  }

  @Test func aRouteInFrontOfTheChange() throws {
    try store.send("rs")
    try store.expect(route: 0)
    try store.expect { $0 = 1 }
    try store.finish()
  }

  @Test func aRouteBetweenTwoChanges() throws {
    try store.send("srsr") { $0 = 1 }
    try store.expect(route: 0)
    try store.expect { $0 = 2 }
    try store.expect(route: 0)
    try store.finish()
  }

  @Test func aRouteThatMovesInFrontOfTheChangeFails() {
    let failure = #expect(throws: TestFailure.self) {
      try store.send("rs", file: "ScreenTests.swift", line: 12) { $0 = 1 }
    }
    #expect(
      failure?.description == """
        The next event is a different one (- expected, + actual), ScreenTests.swift:12:
        - a change of the state
        + route 0 (send at ScreenTests.swift:12)
        """)
  }

  @Test func aRouteThatMovesBehindTheChangeFails() throws {
    try store.send("sr", file: "ScreenTests.swift", line: 12)
    let failure = #expect(throws: TestFailure.self) {
      try store.expect(route: 0, file: "ScreenTests.swift", line: 13)
    }
    #expect(
      failure?.description == """
        The next event is a different one (- expected, + actual), ScreenTests.swift:13:
        - route 0
        + the state changed (send at ScreenTests.swift:12), - before, + after:
        - - 0
        + - 1
        """)
  }

  @Test func whatHappensOutsideACallIsTheSameSequence() throws {
    try store.send("")
    store.viewModel.execute("sr")
    scheduler.advance()
    #expect(throws: TestFailure.self) { try store.expect(route: 0) }
    try store.expect { $0 = 1 }
    try store.expect(route: 0)
    try store.finish()
  }

  @Test func aChangeBehindARouteHasToBeAsserted() throws {
    try store.send("rs")
    try store.expect(route: 0)
    #expect(throws: TestFailure.self) { try store.send("") }
    #expect(throws: TestFailure.self) { try store.finish() }
  }

  @Test func withoutExhaustivityTheOrderDoesNotCount() throws {
    try store.exhaustivity(.off) {
      try store.send("rs") { $0 = 1 }
      try store.expect(route: 0)
    }
    try store.finish()
  }
}
