import RxViewModel
import RxViewModelTesting
import Testing

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

  init() {
    viewModel = FeatureViewModel(Speaker(), initialState: 0, scheduler: scheduler)
    store = TestStore(viewModel)
  }

  @Test func eachElementIsAssertedInItsOrder() throws {
    let outputs = store.record(viewModel.outputs)
    try store.send("ab")
    try outputs.expect("a")
    try outputs.expect { $0.isLetter }
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
    try outputs.expect("a")
    try store.finish()
  }

  @Test func anotherElementFails() throws {
    let outputs = store.record(viewModel.outputs, file: "ScreenTests.swift", line: 3)
    try store.send("ab", file: "ScreenTests.swift", line: 5)
    let failure = #expect(throws: TestFailure.self) { try outputs.expect("b", file: "ScreenTests.swift", line: 6) }
    #expect(
      failure?.description == """
        The event is not the expected one (- expected, + actual), ScreenTests.swift:6:
        - "b" of the stream of ScreenTests.swift:3
        + "a" of the stream of ScreenTests.swift:3 (send at ScreenTests.swift:5)
        """)
    #expect(throws: TestFailure.self) { try outputs.expect { $0.isNumber } }
  }

  @Test func eachStreamHasAnOrderOfItsOwn() throws {
    let (outputs, copies) = (store.record(viewModel.outputs), store.record(viewModel.outputs.map { "\($0)" }))
    try store.send("ab")
    try copies.expect("a")
    try copies.expect("b")
    #expect(throws: TestFailure.self) { try copies.expect("a") }
    #expect(throws: TestFailure.self) { try store.finish() }
    try outputs.expect("a")
    try outputs.expect("b")
    try store.finish()
  }

  @Test func aCompletionNeedsNoAssertion() throws {
    let outputs = store.record(viewModel.outputs)
    try store.send("a")
    try outputs.expect("a")
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
      try outputs.expect("b")
      #expect(throws: TestFailure.self) { try outputs.expect("a") }
    }
    try outputs.expect("c")
    try store.finish()
  }

  @MainActor @Test func messagesOfAViewModel() throws {
    let source = PublishSubject<String>()
    let messages = store.record(source.asLiveEvents())
    source.onNext("Saved")
    #expect(throws: TestFailure.self) { try store.finish() }
    try messages.expect("Saved")
    try store.finish()
  }

  @Test func theReleaseOfTheStoreEndsTheSubscription() throws {
    let (scheduler, subject) = (TestScheduler(), PublishSubject<Int>())
    do {
      let store = TestStore(CounterViewModel(scheduler: scheduler))
      _ = store.record(subject)
      #expect(subject.hasObservers)
      try store.finish()
    }
    #expect(!subject.hasObservers)
  }
}
