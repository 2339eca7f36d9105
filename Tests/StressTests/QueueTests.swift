import Dispatch
import RxViewModel
import Testing

@testable import TestSupport

@Suite(.stress, .ownThread) struct QueueTests {
  // Another library crashes here: 10,000 subscriptions are disposed while a queue delivers to them.
  @Test(arguments: ["flatMap", "flatMapLatest", "flatMapFirst", "concatMap"])
  func innerStreamsBelowAQueueAreDisposedWhileDelivering(operation: String) async {
    let queue = DispatchQueue(label: "hop")
    let calls = Locked(0)
    for _ in 0..<10_000 {
      let subject = PublishSubject<Int>()
      let below = subject.observe(on: queue)
      let inner: @Sendable (Int) -> Observable<Int> = { Observable.from([$0, $0]) }
      let stream =
        switch operation {
        case "flatMap": below.flatMap(inner)
        case "flatMapLatest": below.flatMapLatest(inner)
        case "flatMapFirst": below.flatMapFirst(inner)
        default: below.concatMap(inner)
        }
      let subscription = stream.subscribe(onNext: { _ in calls.mutate { $0 += 1 } })
      subject.onNext(1)
      subject.onNext(2)
      subscription.dispose()
    }
    let done = Signal()
    queue.async { done.fire() }
    #expect(await onThread { done.wait() })
    #expect(calls.value <= 40_000)
  }

  // A tick on a concurrent scheduler may overtake the one before it.
  @Test func intervalCountsOnAConcurrentQueue() async {
    let (seen, done) = (Locked<[Int]>([]), Signal())
    let subscription = Observable<Int>.interval(.nanoseconds(1), scheduler: DispatchQueue.global()).take(20_000)
      .subscribe(onNext: { number in seen.mutate { $0.append(number) } }, onCompleted: { done.fire() })
    #expect(await onThread { done.wait() })
    #expect(seen.value == Array(0..<20_000))
    subscription.dispose()
  }
}
