import RxViewModel
import Testing

@testable import TestSupport

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

  // The replaying thread makes way for other threads only, of which there are none here.
  @Test(.ownThread) func eventsFromInsideAReplayCostAsMuchAsAfterIt() {
    let clock = ContinuousClock()
    func seconds(_ begin: (BehaviorSubject<Int>, @escaping @Sendable (Int) -> Void) -> any Disposable) -> Duration {
      clock.measure {
        let subject = BehaviorSubject(value: 0)
        begin(subject) { number in if number < 20_000 { subject.onNext(number + 1) } }.dispose()
      }
    }
    let inside = seconds { subject, next in subject.subscribe(onNext: next) }
    let afterwards = seconds { subject, next in
      let subscription = subject.subscribe(onNext: { number in if number > 0 { next(number) } })
      subject.onNext(1)
      return subscription
    }
    #expect(inside < afterwards * 5)
  }
}
