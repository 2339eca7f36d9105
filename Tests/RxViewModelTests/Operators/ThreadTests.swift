import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct ThreadTests {
  // contract 1.3: two streams that forward into each other from two threads finish
  @Test func streamsThatForwardIntoEachOther() async {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let bag = DisposeBag()
    Observable.merge([a.filter { $0 > 0 }.map { $0 - 1 }, .never()]).subscribe(onNext: b.onNext).disposed(by: bag)
    b.flatMap { Observable.from([$0]) }.filter { $0 > 0 }.map { $0 - 1 }.subscribe(onNext: a.onNext).disposed(by: bag)
    await race(threads: 2) { thread in
      for _ in 0..<5_000 { (thread == 0 ? a : b).onNext(3) }
    }
    bag.dispose()
    #expect(!a.hasObservers)
    #expect(!b.hasObservers)
  }

  // contract 1.3: a lock of the user's, held around a send, is no lock of an inversion
  @Test func aThreadThatHoldsItsOwnLockWaitsForNobody() async {
    let (subject, lock, inside) = (BehaviorSubject(value: 0), NSLock(), Signal())
    let subscription = subject.subscribe(onNext: { number in
      guard number == 1 else { return }
      inside.fire()
      lock.withLock {}
    })
    let finished = Signal()
    await race(threads: 2) { thread in
      if thread == 0 {
        subject.onNext(1)
      } else {
        lock.withLock {
          #expect(inside.wait())
          subject.onNext(2)
          let other = subject.subscribe(onNext: { _ in })
          other.dispose()
          subscription.dispose()
        }
        finished.fire()
      }
    }
    #expect(await onThread { finished.wait() })
    #expect(!subject.hasObservers)
  }

  // contract 1.2: the last combination sent is the latest of both
  @Test func combineLatestEndsWithTheLatestOfBoth() async {
    for _ in 0..<200 {
      let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
      let observer = Observable.combineLatest(a, b) { [$0, $1] }.test()
      await race(threads: 2) { thread in
        for number in 1...100 { (thread == 0 ? a : b).onNext(number) }
      }
      #expect(observer.lastValue == [100, 100])
    }
  }

  // a peer crashes here: disposed 10,000 times over while delivering behind a queue
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

  // contract 1.4: nothing is called once dispose has returned on the executor that delivers
  @Test func nothingIsCalledAfterDisposeOnTheDeliveringQueue() async {
    let queue = DispatchQueue(label: "delivery")
    let late = Locked(0)
    await onThread {
      for _ in 0..<500 {
        let (isDisposed, subject) = (Locked(false), PublishSubject<Int>())
        let subscription = subject.observe(on: queue).subscribe(onNext: { _ in
          if isDisposed.value { late.mutate { $0 += 1 } }
        })
        (0..<20).forEach(subject.onNext)
        queue.sync {
          subscription.dispose()
          isDisposed.mutate { $0 = true }
        }
        queue.sync {}
      }
    }
    #expect(late.value == 0)
  }
}
