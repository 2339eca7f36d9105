import Foundation
import RxViewModel
import Testing

@testable import TestSupport

// contract 1.3
struct NoLockAcrossUserCodeTests {
  // Two streams that forward into each other from two threads finish
  @Test func streamsThatForwardIntoEachOther() async {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let bag = DisposeBag()
    Observable.merge([a.filter { $0 > 0 }.map { $0 - 1 }, .never()]).subscribe(onNext: b.onNext).disposed(by: bag)
    b.flatMap { Observable.from([$0]) }.filter { $0 > 0 }.map { $0 - 1 }.subscribe(onNext: a.onNext).disposed(by: bag)
    await race(threads: 2) { thread in
      for _ in 0..<500 { (thread == 0 ? a : b).onNext(3) }
    }
    bag.dispose()
    #expect(!a.hasObservers && !b.hasObservers)
  }

  // A lock that the user holds during a send does not take part in a lock inversion
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
}
