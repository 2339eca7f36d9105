import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

/// Sends an output for each action but "": all of its letters.
private struct Speaker: Feature {
  typealias Output = Character

  func createObservable(_ action: String, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
    for letter in action { context.output(letter) }
    return .empty()
  }
}

// contract 4.7
@Suite("A TestStore requires the test to assert the events of a recorded stream") struct RecordedEventsTests {
  private let scheduler = TestScheduler()
  private let viewModel: FeatureViewModel<Speaker>
  private let store: TestStore<String, Int>

  init() throws {
    viewModel = FeatureViewModel(Speaker(), initialState: 0, scheduler: scheduler)
    store = try TestStore(viewModel)
  }

  @Test func eachElementIsAssertedInItsOrder() throws {
    let outputs = store.record(viewModel.outputs)
    try store.send("ab")
    try store.expect(outputs, "a")
    try store.expect(outputs) { $0.isLetter }
    try store.finish()
  }

  @Test func anElementHasToBeAssertedBeforeTheNextCall() throws {
    let outputs = store.record(viewModel.outputs, file: "ScreenTests.swift", line: 3)
    try store.send("a", file: "ScreenTests.swift", line: 5)
    for call in [{ try store.send("") }, { try store.advance() }, { try store.finish() }] {
      let failure = #expect(throws: TestFailure.self, performing: call)
      #expect(
        failure?.description.contains(#""a" of the stream of ScreenTests.swift:3 (send at ScreenTests.swift:5)"#)
          == true)
    }
    try store.expect(outputs, "a")
    try store.finish()
  }

  @Test func anotherElementFails() throws {
    let outputs = store.record(viewModel.outputs, file: "ScreenTests.swift", line: 3)
    try store.send("ab", file: "ScreenTests.swift", line: 5)
    let failure = #expect(throws: TestFailure.self) {
      try store.expect(outputs, "b", file: "ScreenTests.swift", line: 6)
    }
    #expect(
      failure?.description == """
        The next event is a different one (- expected, + actual), ScreenTests.swift:6:
        - "b" of the stream of ScreenTests.swift:3
        + "a" of the stream of ScreenTests.swift:3 (send at ScreenTests.swift:5)
        """)
    #expect(throws: TestFailure.self) { try store.expect(outputs) { $0.isNumber } }
  }

  @Test func twoStreamsAreOneSequence() throws {
    let (outputs, copies) = (store.record(viewModel.outputs), store.record(viewModel.outputs.map { "\($0)" }))
    try store.send("ab")
    #expect(throws: TestFailure.self) { try store.expect(copies, "a") }
    try store.expect(outputs, "a")
    try store.expect(copies, "a")
    #expect(throws: TestFailure.self) { try store.expect(copies, "b") }
    try store.expect(outputs, "b")
    #expect(throws: TestFailure.self) { try store.finish() }
    try store.expect(copies, "b")
    try store.finish()
  }

  // An event of a stream has its place among the changes.
  @Test func anEventBeforeAChange() throws {
    let viewModel = CounterViewModel(scheduler: scheduler)
    let store = try TestStore(viewModel)
    let actions = store.record(viewModel.executionObservable.map { "\($0.phase)" })
    try store.send(.increment)
    #expect(throws: TestFailure.self) { try store.expect { $0 = 1 } }
    try store.expect(actions, "started")
    try store.expect { $0 = 1 }
    try store.expect(actions, "emitted 1")
    try store.expect(actions, "completed 1")
    try store.finish()
  }

  @Test func aCompletionNeedsNoAssertion() throws {
    let outputs = store.record(viewModel.outputs)
    try store.send("a")
    try store.expect(outputs, "a")
    viewModel.clear()
    try store.advance()
    #expect(viewModel.outputs.test().isCompleted)
    try store.finish()
  }

  @Test func anErrorOfTheStreamFails() throws {
    let subject = PublishSubject<Int>()
    _ = store.record(subject)
    try store.finish()
    subject.onError(TestError("offline"))
    let failure = #expect(throws: TestFailure.self) { try store.finish() }
    #expect(failure?.description.contains("offline") == true)
  }

  @Test func withoutExhaustivityElementsAreSkipped() throws {
    let outputs = store.record(viewModel.outputs)
    try store.exhaustivity(.off) {
      try store.send("abc")
      try store.expect(outputs, "b")
      #expect(throws: TestFailure.self) { try store.expect(outputs, "a") }
    }
    try store.expect(outputs, "c")
    try store.finish()
  }

  @MainActor @Test func messagesOfAViewModel() throws {
    let source = PublishSubject<String>()
    let messages = store.record(source.asLiveEvents())
    source.onNext("Saved")
    #expect(throws: TestFailure.self) { try store.finish() }
    try store.expect(messages, "Saved")
    try store.finish()
  }

  @Test func theReleaseOfTheStoreEndsTheSubscription() throws {
    let (scheduler, subject) = (TestScheduler(), PublishSubject<Int>())
    do {
      let store = try TestStore(CounterViewModel(scheduler: scheduler))
      _ = store.record(subject)
      #expect(subject.hasObservers)
      try store.finish()
    }
    #expect(!subject.hasObservers)
  }
}
