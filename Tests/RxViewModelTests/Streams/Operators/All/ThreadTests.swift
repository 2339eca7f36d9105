import Foundation
import RxViewModel
import Testing

@testable import TestSupport

@Suite struct ThreadTests {
  // contract 1.3: two streams that forward into each other from two threads finish
  @Test func streamsThatForwardIntoEachOther() async {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let bag = DisposeBag()
    Observable.merge([a.filter { $0 > 0 }.map { $0 - 1 }, .never()]).subscribe(onNext: b.onNext).disposed(by: bag)
    b.flatMap { Observable.from([$0]) }.filter { $0 > 0 }.map { $0 - 1 }.subscribe(onNext: a.onNext).disposed(by: bag)
    await race(threads: 2) { thread in
      for _ in 0..<500 { (thread == 0 ? a : b).onNext(3) }
    }
    bag.dispose()
    #expect(!a.hasObservers)
    #expect(!b.hasObservers)
  }

  // contract 1.3: a lock that the user holds during a send does not take part in a lock inversion
  @Test func aThreadThatHoldsItsOwnLockDoesNotWaitForOtherThreads() async {
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
          #expect(subject.value == 2)
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

  // contract 1.4: nothing is called after `dispose` has returned on the executor that delivers
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
