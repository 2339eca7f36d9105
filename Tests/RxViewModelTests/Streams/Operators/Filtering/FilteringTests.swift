import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// `DifferentialTests` tests the elements and the end of these operators.
struct TakeTests {
  // contract 1: `take(0)` completes without subscribing, and so does `take(until:)` if the other source sends while it is being subscribed
  @Test func nothingIsSubscribedIfNothingIsTaken() {
    let subscribed = Locked(0)
    let source = Observable.of(1, 2).do(onSubscribe: { subscribed.increment() })
    for stream in [source.take(0), source.take(until: Observable.just(0))] {
      #expect(stream.test().events == [Recorded(.zero, .completed)])
    }
    #expect(subscribed.value == 0)
  }

  // contract 1.4
  @Test func takeUntilEndsTheSubscriptionToTheOther() {
    let (source, other) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = source.take(until: other).test()
    source.onCompleted()
    #expect(observer.isCompleted && !other.hasObservers)
  }

  // contract 1.2: an element that the callback of the last element sends comes too late
  @Test func sendingFromInsideTheLastElement() {
    let subject = PublishSubject<Int>()
    let recorder = Recorder<Int> { event in
      if case .next(let number) = event { subject.onNext(number + 1) }
    }
    _ = subject.take(2).subscribe(recorder)
    subject.onNext(1)
    #expect(recorder.elements == [1, 2] && recorder.end == "completed" && recorder.faults == [])
  }
}

// contract 1, `distinctUntilChanged(at:)`
struct DistinctAtAPartTests {
  @Test func itDropsAnElementWhosePartIsThatOfTheElementSentBeforeIt() {
    let words = Observable.of("an", "ant", "bat", "at").distinctUntilChanged(at: \.first).test()
    #expect(words.values == ["an", "bat", "at"] && words.isCompleted)
  }
}

struct IgnoreElementsTests {
  // contract 2.3: an effect that completes without a mapper emits the current state once
  @Test func aWriteIsAnEffect() async throws {
    let (screen, written) = (Screen(), Locked(0))
    let journal = Journal(screen)
    try await screen.perform(
      Step("save") {
        .task { written.increment() }.ignoreElements()
      })
    #expect(written.value == 1)
    #expect(
      journal.news == ["save started", "state ", "save made ", "save emitted ", "save completed "])
    await #expect(throws: TestError.self) {
      try await screen.perform(Step("fail") { .task { throw TestError() }.ignoreElements() })
    }
  }

  // contract 2.6, 2.10
  @Test func anActionThatIsNotPossibleNowEndsAsCancelled() async {
    let screen = Screen()
    let journal = Journal(screen)
    await #expect(throws: CancellationError.self) { try await screen.perform(Step("login") { .declined() }) }
    #expect(journal.news == ["login started", "login cancelled"] && screen.handled.value.isEmpty)
  }
}
