import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

private enum Place: Sendable, Equatable {
  case details(Int)
  case edit(Reply<Int>)
}

// contract 4.2, 4.3
/// A TestStore with a navigator requires the test to assert every route.
struct StoreRouteTests {
  private let scheduler = TestScheduler()
  private let screens = TestNavigator<Place>()
  private let store: TestStore<String, Int>

  /// An action does what its letters say, in their order: a digit navigates to its details, `e` requests a number, `s` changes the state,
  /// and `f` fails.
  init() throws {
    let navigator = screens.navigator
    let viewModel = ClosureViewModel<String, Int>(0, scheduler: scheduler) { _, action in
      .concat(
        action.map { letter -> ClosureViewModel<String, Int>.Effect in
          switch letter {
          case "s": return .mutate { $0 += 1 }
          case "f": return .error(TestError())
          case "e": return navigator.request { .edit($0) }.mutate { $0 = $1 }
          default:
            return .deferred {
              navigator.navigate(.details(letter.wholeNumberValue!))
              return .empty()
            }
          }
        })
    }
    store = try TestStore(viewModel, navigator: screens)
  }

  private func expectNext(_ letter: Character) throws {
    switch letter {
    case "s": try store.expect { $0 += 1 }
    case "f": try store.expect(.failed(TestError()))
    default: try store.expect(route: Place.details(letter.wholeNumberValue!))
    }
  }

  @Test(arguments: ["1s", "s1", "s1s1", "1f", "121"], [true, false])
  func routesChangesAndEndsAreOneSequence(action: String, isSent: Bool) throws {
    if isSent {
      try store.send(action)
    } else {
      store.viewModel.execute(action)
      scheduler.advance()
    }
    for letter in action {
      for other in "12sf" where other != letter { #expect(throws: TestFailure.self) { try expectNext(other) } }
      #expect(throws: TestFailure.self) { try store.send("") }
      try expectNext(letter)
    }
    try store.finish()
  }

  @Test func aRouteHasToBeAssertedBeforeTheNextCall() throws {
    try store.send("1", file: "ScreenTests.swift", line: 5)
    for call in [{ try store.send("1") }, { try store.advance() }, { try store.finish() }] {
      #expect(failureText(call).contains("route details(1) (send at ScreenTests.swift:5)"))
    }
  }

  @Test func anotherRouteFails() throws {
    try store.send("1", file: "ScreenTests.swift", line: 5)
    #expect(
      failureText { try store.expect(route: Place.details(2), file: "ScreenTests.swift", line: 6) } == """
        The next event is a different one (- expected, + actual), ScreenTests.swift:6:
        - route details(2)
        + route details(1) (send at ScreenTests.swift:5)
        """)
    #expect(throws: TestFailure.self) { try store.expect(route: "a") }
  }

  @Test func aRouteBehindAChangeFails() throws {
    try store.send("s1", file: "ScreenTests.swift", line: 12)
    #expect(
      failureText { try store.expect(route: Place.details(1), file: "ScreenTests.swift", line: 13) } == """
        The next event is a different one (- expected, + actual), ScreenTests.swift:13:
        - route details(1)
        + the state changed (send at ScreenTests.swift:12), - before, + after:
        - - 0
        + - 1
        """)
  }

  @Test func aRouteWithAReplyIsAssertedByACondition() throws {
    try store.send("e")
    #expect(throws: TestFailure.self) {
      try store.expect(route: Place.self) { if case .details = $0 { true } else { false } }
    }
    #expect(failureText { try store.finish() }.contains("route edit(Reply<Int>)"))
    try store.expect(route: Place.self) { if case .edit = $0 { true } else { false } }
    guard case .edit(let reply)? = screens.routes.last else { throw TestError("no request") }
    reply.send(7)
    try store.advance { $0 = 7 }
    try store.finish()
  }

  @Test func withoutExhaustivityOtherRoutesAreSkipped() throws {
    try store.exhaustivity(.off) {
      try store.send("1")
      try store.send("2")
      try store.expect(route: Place.details(2))
      #expect(throws: TestFailure.self) { try store.expect(route: Place.details(1)) }
      try store.send("3")
    }
    try store.finish()
  }

  @Test func aStoreWithoutANavigatorSaysSo() throws {
    let other = try TestStore(CatalogViewModel(scheduler))
    let text = failureText { try other.expect(route: "a") }
    #expect(text.hasPrefix("The store has no navigator: write withTestStore(viewModel,"))
  }

  @Test func routesBeforeTheStoreNeedNoAssertion() throws {
    screens.navigator.navigate(.details(1))
    let other = try TestStore(CatalogViewModel(scheduler), navigator: screens)
    try other.finish()
    #expect(throws: TestFailure.self) { try store.finish() }
  }
}
