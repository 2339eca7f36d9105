import RxViewModel
import RxViewModelTesting
import Testing

/// The texts of the failures, word for word: contract 4.5.
@Suite struct TestStoreTextTests {
  private let scheduler = TestScheduler()
  private let viewModel: CatalogViewModel
  private let store: TestStore<CatalogAction, Catalog>

  init() {
    viewModel = CatalogViewModel(scheduler)
    store = TestStore(viewModel)
  }

  private func text(_ body: () throws -> Void) -> String? {
    #expect(throws: TestFailure.self, performing: body)?.description
  }

  @Test func anotherState() {
    #expect(
      text { try store.send(.increment, file: "Tests/ScreenTests.swift", line: 12) { $0.count = 42 } } == """
        The state is not the expected one (- expected, + actual), ScreenTests.swift:12:
          … 1 more of both …
            - query: ""
            - isBusy: false
            - items: 0 elements
        -   - count: 42
        +   - count: 1
        """)
  }

  @Test func aStateWithoutProperties() {
    let store = TestStore(CounterViewModel(scheduler: scheduler))
    #expect(
      text { try store.send(.increment, file: "ScreenTests.swift", line: 7) { $0 = 42 } } == """
        The state is not the expected one (- expected, + actual), ScreenTests.swift:7:
        - - 42
        + - 1
        """)
  }

  @Test func oneChangeTooMany() {
    #expect(
      text { try store.send(.load, file: "ScreenTests.swift", line: 12) { $0.isBusy = true } } == """
        1 change more than expected (- before, + after), ScreenTests.swift:12:
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
      text { try store.send(.refresh, file: "ScreenTests.swift", line: 12) { $0.isBusy = true } } == """
        1 change fewer than expected (- expected, + actual), ScreenTests.swift:12:
          ▿ Catalog
            - query: ""
        -   - isBusy: true
        +   - isBusy: false
            - items: 0 elements
            - count: 0
        """)
  }

  // The step for the first of two changes is missing.
  @Test func aForgottenStep() {
    #expect(
      text { try store.send(.load, file: "ScreenTests.swift", line: 12) { $0.items = [1] } } == """
        Change 1 of 2 is not the expected one (- expected, + actual), ScreenTests.swift:12:
          ▿ Catalog
            - query: ""
        -   - isBusy: false
        -   ▿ items: 1 element
        -     - 1
        +   - isBusy: true
        +   - items: 0 elements
            - count: 0
        Change 1 of 2:
          the state changed (send at ScreenTests.swift:12), - before, + after:
          ▿ Catalog
            - query: ""
        -   - isBusy: false
        +   - isBusy: true
            - items: 0 elements
            - count: 0
        Change 2 of 2:
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

  @Test func aStepThatChangesNothing() {
    #expect(
      text { try store.send(.load, file: "ScreenTests.swift", line: 12, { $0.isBusy = true }, { _ in }) }
        == "Step 2 of 2 changes nothing, ScreenTests.swift:12")
  }

  @Test func unassertedEndsAndChanges() throws {
    try store.send(.login, file: "ScreenTests.swift", line: 10)
    viewModel.execute(.increment)
    scheduler.advance()
    #expect(
      text { try store.finish(file: "ScreenTests.swift", line: 12) } == """
        The test did not assert 2 events, ScreenTests.swift:12:
          #1 login parallel: failed: WrongPassword 1 (send at ScreenTests.swift:10)
          the state changed (after send at ScreenTests.swift:10), - before, + after:
          … 1 more of both …
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
      text { try store.expect(.cancelled, of: .watch, file: "ScreenTests.swift", line: 12) } == """
        The end is not the expected one (- expected, + actual), ScreenTests.swift:12:
        - watch: cancelled
        + #1 login parallel: failed: WrongPassword 1 (send at ScreenTests.swift:10)
        """)
  }

  @Test func noEnd() {
    #expect(
      text { try store.expect(.failed(WrongPassword()), file: "ScreenTests.swift", line: 12) } == """
        There is no such end, ScreenTests.swift:12:
        - failed: WrongPassword 1
        """)
  }

  @Test func unfinishedActions() throws {
    try store.advance(by: .milliseconds(20))
    try store.send(.watch)
    viewModel.execute(.refresh)
    #expect(
      text { try store.finish(file: "ScreenTests.swift", line: 12) } == """
        2 actions have not ended, ScreenTests.swift:12:
          #1 watch dropWhileBusy: running since 0.02 seconds
          #2 refresh: not started
        """)
  }

  @Test func statesThatDumpAlike() throws {
    struct Odd: Equatable, Sendable, CustomReflectable {
      var number = 0
      var customMirror: Mirror { Mirror(self, children: [:]) }
    }
    final class OddViewModel: RxViewModel<Int, Odd>, @unchecked Sendable {  // Sendable: it stores nothing.
      override func createInitialState() -> Odd { Odd() }
      override func createObservable(_ action: Int) -> Effect { .mutate { $0.number = action } }
    }
    let viewModel = OddViewModel(scheduler: scheduler)
    let store = TestStore(viewModel)
    #expect(
      text { try store.send(1, file: "ScreenTests.swift", line: 12) { $0.number = 2 } } == """
        The state is not the expected one (- expected, + actual), ScreenTests.swift:12:
          (they differ in something that these lines do not show)
          - Odd
        """)
  }

  @Test func theFileAndTheLineOfTheCall() {
    let line = #line + 1
    #expect(text { try store.send(.increment) }?.contains("TestStoreTextTests.swift:\(line):") == true)
  }
}
