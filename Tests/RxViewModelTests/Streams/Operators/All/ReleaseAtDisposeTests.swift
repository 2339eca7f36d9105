import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// contract 1.4: a dispose releases the subscriber, also while the scheduler has work for the subscription.
struct ReleaseAtDisposeTests {
  private let scheduler = TestScheduler()
  private let lifetimes = Lifetimes()
  private let subject = PublishSubject<Int>()

  private func subscribe(to stream: Observable<Int>) -> any Disposable {
    let object = lifetimes.make()
    return stream.subscribe(onNext: { _ in object.touch() })
  }

  @Test func beforeTheSchedulerHasSubscribed() {
    subscribe(to: Observable.just(1).subscribe(on: scheduler)).dispose()
    #expect(lifetimes.alive == 0)
    scheduler.run()
  }

  @Test func withoutTheSchedulerEverSubscribing() {
    do { _ = subscribe(to: Observable.just(1).subscribe(on: TestScheduler())) }
    #expect(lifetimes.alive == 0)
  }

  @Test(arguments: ["throttle", "debounce", "observe(on:)", "delay"])
  func atTheInstantOfADeadline(through operation: String) {
    let stream: Observable<Int> =
      switch operation {
      case "throttle": subject.throttle(.seconds(1), scheduler: scheduler)
      case "debounce": subject.debounce(.seconds(1), scheduler: scheduler)
      case "delay": subject.delay(.seconds(1), scheduler: scheduler)
      default: subject.observe(on: scheduler)
      }
    let (subscription, seen) = (subscribe(to: stream), Locked<[Int]>([]))
    subject.onNext(1)
    let timer = scheduler.schedule(after: .seconds(1)) { [lifetimes] in
      subscription.dispose()
      seen.append(lifetimes.alive)
    }
    scheduler.advance(by: .seconds(1))
    #expect(seen.value == [0])
    timer.dispose()
  }
}
