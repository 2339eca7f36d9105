import RxViewModel
import Testing

// contract 1.9
@Suite(.serialized, .stress) struct SubjectCostTests {
  // During one long delivery, each event ends the subscriber that was added before it.
  @Test(.ownThread) func subscribersThatEndAreRemoved() {
    expectGrowth(from: 2_000, below: 10) { count in
      let subject = PublishSubject<Int>()
      let subscription = subject.subscribe(onNext: { number in
        _ = subject.map { _ in throw TestError() }.subscribe { (_: Event<Int>) in }
        if number < count { subject.onNext(number + 1) }
      })
      subject.onNext(0)
      subscription.dispose()
    }
  }
}
