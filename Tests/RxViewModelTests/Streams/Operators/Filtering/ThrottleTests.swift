import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1: `throttle`
@Suite struct ThrottleTests {
  private func throttled(_ source: [Recorded<Int>], latest: Bool = true) -> [Recorded<Int>] {
    outcome(of: source) { $0.throttle(.milliseconds(10), latest: latest, scheduler: $1) }
  }

  @Test func theFirstAtOnceThenTheLatestOfEachWindow() {
    #expect(
      throttled(events([0: 1, 3: 2, 6: 3, 13: 4, 45: 5], completed: 70))
        == events([0: 1, 10: 3, 20: 4, 45: 5], completed: 70))
  }

  @Test func anElementAtTheVeryEndOfAWindowBelongsToIt() {
    #expect(
      throttled(events([0: 1, 4: 2, 10: 3, 12: 4], completed: 40)) == events([0: 1, 10: 3, 20: 4], completed: 40))
    #expect(
      throttled(events([0: 1, 10: 2, 11: 3], completed: 40), latest: false) == events([0: 1, 11: 3], completed: 40))
  }

  // The same if the window's timer was set before the element was scheduled.
  @Test func anElementAtTheVeryEndThatIsScheduledLate() {
    let scheduler = TestScheduler()
    let ticks = Observable.interval(.milliseconds(5), scheduler: scheduler).take(7)
    let observer = ticks.throttle(.milliseconds(10), scheduler: scheduler).test(scheduler)
    scheduler.run()
    #expect(observer.events == events([5: 0, 15: 2, 25: 4, 35: 6], completed: 35))
  }

  @Test func aCompletionWaitsForAPendingElement() {
    #expect(throttled(events([0: 1, 3: 2], completed: 5)) == events([0: 1, 10: 2], completed: 10))
    #expect(throttled(events([0: 1], completed: 5)) == events([0: 1], completed: 5))
  }

  @Test func anErrorPassesAtOnceAndDropsThePendingElement() {
    #expect(throttled(events([0: 1, 3: 2], error: 5)) == events([0: 1], error: 5))
  }

  @Test func withoutTheLatestOnlyLeadingElementsAreSent() {
    #expect(
      throttled(events([0: 1, 3: 2, 11: 3, 13: 4], completed: 14), latest: false)
        == events([0: 1, 11: 3], completed: 14))
    #expect(throttled(events([0: 1, 3: 2], error: 5), latest: false) == events([0: 1], error: 5))
  }

  @Test func aDisposeDropsThePendingElement() {
    let (scheduler, subject, lifetimes) = (TestScheduler(), PublishSubject<Lifetimes.Object>(), Lifetimes())
    let observer = subject.throttle(.milliseconds(10), scheduler: scheduler).map { _ in 0 }.test(scheduler)
    subject.onNext(lifetimes.make())
    subject.onNext(lifetimes.make())
    #expect(lifetimes.alive == 1)
    observer.dispose()
    #expect(lifetimes.alive == 0)
    scheduler.run()
    #expect(observer.values == [0])
  }
}
