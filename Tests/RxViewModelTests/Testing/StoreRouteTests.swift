import RxViewModel
import RxViewModelTesting
import Testing

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

  override func createObservable(_ action: Int) -> Observable<StateMapper<Int>> {
    if action == 0 { return navigator.request { .edit($0) }.mutate { $0 = $1 } }
    navigator.navigate(.details(action))
    return action > 9 ? .error(TestError()) : .unchanged()
  }
}

// contract 4.3
@Suite("A TestStore with a navigator requires every route to be named") struct StoreRouteTests {
  private let scheduler = TestScheduler()
  private let screens = TestNavigator<Place>()
  private let store: TestStore<Int, Int>

  init() {
    store = TestStore(MapViewModel(screens.navigator, scheduler), navigator: screens)
  }

  @Test func aRouteHasToBeNamedBeforeTheNextCall() throws {
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
        The route is not the expected one (- expected, + actual), ScreenTests.swift:6:
        - route details(2)
        + route details(1) (send at ScreenTests.swift:5)
        """)
  }

  // The test names routes and ends in the order in which they happened.
  @Test func routesAndEndsHaveOneOrder() throws {
    try store.send(10)
    #expect(throws: TestFailure.self) { try store.expect(.failed(TestError()), of: 10) }
    try store.expect(route: Place.details(10))
    #expect(throws: TestFailure.self) { try store.expect(route: Place.details(10)) }
    try store.expect(.failed(TestError()), of: 10)
    try store.finish()
  }

  @Test func aRouteWithAReplyIsNamedByACondition() throws {
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
    let failure = #expect(throws: TestFailure.self) { try store.expect(route: "a") }
    #expect(failure?.description.hasPrefix("The navigator's routes are of the type Place, not String") == true)
    let other = TestStore(CatalogViewModel(scheduler))
    #expect(throws: TestFailure.self) { try other.expect(route: "a") }
  }

  @Test func routesBeforeTheStoreNeedNoName() throws {
    try store.finish()
    screens.navigator.navigate(.details(1))
    let other = TestStore(MapViewModel(screens.navigator, scheduler), navigator: screens)
    try other.finish()
    #expect(throws: TestFailure.self) { try store.finish() }
  }
}
