import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.7
/// A TestStore requires the test to assert the events of a recorded stream.
struct RecordedEventsTests {
  private let scheduler = TestScheduler()
  private let letters = PublishSubject<String>()
  private let store: TestStore<String, Int>

  /// An action sends each of its letters, and adds one to the state.
  init() throws {
    let viewModel = ClosureViewModel<String, Int>(0, scheduler: scheduler) { [letters] _, action in
      for letter in action { letters.onNext("\(letter)") }
      return .mutate { $0 += 1 }
    }
    store = try TestStore(viewModel)
  }

  @Test func anElementHasToBeAssertedBeforeTheNextCall() throws {
    let events = store.record(letters, file: "ScreenTests.swift", line: 3)
    try store.send("a", file: "ScreenTests.swift", line: 5)
    for call in [{ try store.send("") }, { try store.advance() }, { try store.finish() }] {
      #expect(failureText(call).contains(#""a" of the stream of ScreenTests.swift:3 (send at ScreenTests.swift:5)"#))
    }
    // An element has its place among the changes.
    #expect(throws: TestFailure.self) { try store.expect { $0 = 1 } }
    try store.expect(events, "a")
    try store.expect { $0 = 1 }
    try store.finish()
  }

  @Test func anotherElementFails() throws {
    let events = store.record(letters, file: "ScreenTests.swift", line: 3)
    try store.send("ab", file: "ScreenTests.swift", line: 5)
    #expect(
      failureText { try store.expect(events, "b", file: "ScreenTests.swift", line: 6) } == """
        The next event is a different one (- expected, + actual), ScreenTests.swift:6:
        - "b" of the stream of ScreenTests.swift:3
        + "a" of the stream of ScreenTests.swift:3 (send at ScreenTests.swift:5)
        """)
    #expect(throws: TestFailure.self) { try store.expect(events) { $0 == "b" } }
    try store.expect(events) { $0 == "a" }
  }

  @Test func twoStreamsAreOneSequence() throws {
    let (events, copies) = (store.record(letters), store.record(letters))
    try store.send("ab")
    for letter in ["a", "b"] {
      #expect(throws: TestFailure.self) { try store.expect(copies, letter) }
      try store.expect(events, letter)
      try store.expect(copies, letter)
    }
  }

  @Test func aCompletionNeedsNoAssertionAndAnErrorFails() throws {
    let other = PublishSubject<Int>()
    (_, _) = (store.record(letters), store.record(other))
    letters.onCompleted()
    try store.finish()
    other.onError(TestError("offline"))
    #expect(failureText { try store.finish() }.contains("offline"))
  }

  @MainActor @Test func messagesOfAViewModel() throws {
    let messages = store.record(letters.asLiveEvents())
    letters.onNext("Saved")
    #expect(throws: TestFailure.self) { try store.finish() }
    try store.expect(messages, "Saved")
    try store.finish()
  }
}
