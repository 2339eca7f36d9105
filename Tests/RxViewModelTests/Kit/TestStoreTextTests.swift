import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

/// The texts of the failures, word for word: contract 4.5.
struct TestStoreTextTests {
  private let scheduler = TestScheduler()
  private let viewModel: CatalogViewModel
  private let store: TestStore<CatalogAction, Catalog>

  init() throws {
    viewModel = CatalogViewModel(scheduler)
    store = try TestStore(viewModel)
  }

  @Test func anotherState() {
    #expect(
      failureText { try store.send(.increment, file: "Tests/ScreenTests.swift", line: 12) { $0.count = 42 } } == """
        The state is not the expected one (- expected, + actual), ScreenTests.swift:12:
          … 1 more in both …
            - query: ""
            - isBusy: false
            - items: 0 elements
        -   - count: 42
        +   - count: 1
        """)
  }

  @Test func oneChangeTooMany() throws {
    try store.send(.load, file: "ScreenTests.swift", line: 12) { $0.isBusy = true }
    #expect(
      failureText { try store.send(.refresh, file: "ScreenTests.swift", line: 13) } == """
        The test did not assert an event, ScreenTests.swift:13:
          the state changed (send at ScreenTests.swift:12), - before, + after:
          ▿ Catalog
            - query: ""
            - isBusy: true
        -   - items: 0 elements
        +   ▿ items: 1 element
        +     - 1
            - count: 0
        """)
  }

  @Test func oneChangeTooFew() {
    #expect(
      failureText { try store.send(.refresh, file: "ScreenTests.swift", line: 12) { $0.isBusy = true } } == """
        The state has not changed (- expected, + actual), ScreenTests.swift:12:
          ▿ Catalog
            - query: ""
        -   - isBusy: true
        +   - isBusy: false
            - items: 0 elements
            - count: 0
        """)
  }

  // The first of two changes is not expected.
  @Test func aForgottenChange() {
    #expect(
      failureText { try store.send(.load, file: "ScreenTests.swift", line: 12) { $0.items = [1] } } == """
        The state is not the expected one (- expected, + actual), ScreenTests.swift:12:
          ▿ Catalog
            - query: ""
        -   - isBusy: false
        -   ▿ items: 1 element
        -     - 1
        +   - isBusy: true
        +   - items: 0 elements
            - count: 0
        after it:
          the state changed (send at ScreenTests.swift:12), - before, + after:
          ▿ Catalog
            - query: ""
            - isBusy: true
        -   - items: 0 elements
        +   ▿ items: 1 element
        +     - 1
            - count: 0
        """)
  }

  @Test func aClosureThatChangesNothing() throws {
    try store.send(.load) { $0.isBusy = true }
    #expect(
      failureText { try store.expect(file: "ScreenTests.swift", line: 12) { _ in } }
        == "The closure changes nothing, ScreenTests.swift:12")
  }

  @Test func anotherEventThanAChange() {
    #expect(
      failureText { try store.send(.login, file: "ScreenTests.swift", line: 12) { $0.count = 1 } } == """
        The next event is a different one (- expected, + actual), ScreenTests.swift:12:
        - a change of the state
        + login: failed: WrongPassword 1 (send at ScreenTests.swift:12)
        """)
  }

  @Test func unassertedEndsAndChanges() throws {
    try store.send(.login, file: "ScreenTests.swift", line: 10)
    viewModel.execute(.increment)
    scheduler.advance()
    #expect(
      failureText { try store.finish(file: "ScreenTests.swift", line: 12) } == """
        The test did not assert 2 events, ScreenTests.swift:12:
          login: failed: WrongPassword 1 (send at ScreenTests.swift:10)
          the state changed (after send at ScreenTests.swift:10), - before, + after:
          … 1 more in both …
            - query: ""
            - isBusy: false
            - items: 0 elements
        -   - count: 0
        +   - count: 1
        """)
  }

  @Test func anotherEnd() throws {
    try store.send(.login, file: "ScreenTests.swift", line: 10)
    #expect(
      failureText { try store.expect(.cancelled, of: .watch, file: "ScreenTests.swift", line: 12) } == """
        The next event is a different one (- expected, + actual), ScreenTests.swift:12:
        - watch: cancelled
        + login: failed: WrongPassword 1 (send at ScreenTests.swift:10)
        """)
  }

  @Test func noEnd() {
    #expect(
      failureText { try store.expect(.failed(WrongPassword()), file: "ScreenTests.swift", line: 12) } == """
        There is no such event, ScreenTests.swift:12:
        - failed: WrongPassword 1
        """)
  }

  @Test func unfinishedActions() throws {
    try store.advance(by: .milliseconds(20))
    try store.send(.watch)
    try store.send(.search("a"), mode: .sequence)
    try store.send(.increment, mode: .sequence)
    viewModel.execute(.refresh)
    #expect(
      failureText { try store.finish(file: "ScreenTests.swift", line: 12) } == """
        4 actions have not ended at the end of the test, ScreenTests.swift:12:
          #1 watch dropWhileBusy: running since 0.02 seconds
          #2 search("a") sequence: running since 0.02 seconds
          #3 increment sequence: not started
          #4 refresh: not started
        """)
  }

  @Test func statesThatDumpAlike() throws {
    struct Odd: Equatable, Sendable, CustomReflectable {
      var number = 0
      var customMirror: Mirror { Mirror(self, children: [:]) }
    }
    let viewModel = ClosureViewModel<Int, Odd>(Odd(), scheduler: scheduler) { _, number in
      .mutate { $0.number = number }
    }
    let store = try TestStore(viewModel)
    #expect(
      failureText { try store.send(1, file: "ScreenTests.swift", line: 12) { $0.number = 2 } } == """
        The state is not the expected one (- expected, + actual), ScreenTests.swift:12:
          (they differ in something that isn't shown here)
          - Odd
        """)
  }

  @Test func theFileAndTheLineOfTheCall() {
    let line = #line + 1
    #expect(
      failureText { try store.send(.increment) { $0.count = 42 } }.contains("TestStoreTextTests.swift:\(line):"))
  }
}
