import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
/// A test observable knows when it was subscribed.
struct TestObservableTests {
  private let scheduler = TestScheduler()

  @Test func aSubscriptionEndsWithTheStream() {
    let xs = scheduler.coldObservable(.marbles("-a-b|"))
    #expect(xs.subscriptions == [])
    let events = [xs.test(scheduler, subscription: "--^"), xs.test(scheduler, subscription: "---")]
    scheduler.run()
    #expect(xs.subscriptions == [.zero ... .milliseconds(40), .milliseconds(20) ... .milliseconds(60)])
    #expect(events[0].mismatch(with: .marbles("---a-b|")) == nil)
    #expect(events[1].mismatch(with: .marbles("-a-b|")) == nil)
  }

  @Test func aSubscriptionEndsWithItsDisposal() {
    let xs = scheduler.hotObservable(.marbles("a-b-c-d"))
    let events = [xs.test(scheduler, subscription: "-^--!"), xs.test(scheduler, subscription: "10ms -^ 40ms !")]
    scheduler.run()
    #expect(
      xs.subscriptions == [.milliseconds(10) ... .milliseconds(40), .milliseconds(20) ... .milliseconds(70)])
    #expect(events.map(\.values) == [["b", "c"], ["c", "d"]])
  }

  @Test func aSubscriptionThatHasNotEndedLastsForever() {
    let xs = scheduler.hotObservable(.marbles("a-b"))
    let observer = xs.test(scheduler)
    scheduler.run()
    #expect(xs.subscriptions == [.zero ... .seconds(Int64.max)])
    observer.dispose()
    #expect(xs.subscriptions == [.zero ... .milliseconds(20)])
  }

  @Test func aSubscriberThatComesAfterTheEndGetsTheEnd() {
    let (completed, failed) = (scheduler.hotObservable(.marbles("a|")), scheduler.hotObservable(.marbles("a#")))
    scheduler.advance(by: .seconds(1))
    #expect(completed.test(scheduler).events == [Recorded(.seconds(1), .completed)])
    #expect(failed.test(scheduler).events == [Recorded(.seconds(1), .error(MarbleError()))])
    #expect(completed.subscriptions == [.seconds(1) ... .seconds(1)])
  }

  @Test func anEndBeforeTheFirstSubscriptionHasHappened() {
    #expect(scheduler.hotObservable(.marbles("a|-^")).test(scheduler).events == events([:], completed: 0))
    #expect(scheduler.pendingCount == 0)
  }
}
