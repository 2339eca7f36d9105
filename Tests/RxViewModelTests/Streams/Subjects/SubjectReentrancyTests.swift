import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Subscribers call a subject from inside their callbacks.
@Suite struct SubjectReentrancyTests {
  // contract 1.5: nested replays deliver no value twice while events wait for their turn
  @Test func replaysInsideReplaysGiveEachValueOnce() {
    let subject = BehaviorSubject(value: 0)
    let (outer, inner, bag) = (Locked<[Int]>([]), Locked<[Int]>([]), DisposeBag())
    subject.subscribe(onNext: { number in
      guard number == 1 else { return }
      subject.onNext(2)
      subject.subscribe(onNext: { number in
        outer.mutate { $0.append(number) }
        guard number == 2 else { return }
        subject.onNext(3)
        subject.subscribe(onNext: { number in inner.mutate { $0.append(number) } }).disposed(by: bag)
      }).disposed(by: bag)
    }).disposed(by: bag)
    subject.onNext(1)
    subject.onNext(4)
    #expect(outer.value == [2, 3, 4])
    #expect(inner.value == [3, 4])
    bag.dispose()
  }

  // contract 1.4: a subscriber that is added and disposed during a delivery is released during that delivery
  @Test func subscribersThatComeAndGoInsideADeliveryAreReleased() {
    let (subject, lifetimes, seen) = (PublishSubject<Int>(), Lifetimes(), Locked<[Int]>([]))
    let (stays, bag) = (TestObserver<Int>(), DisposeBag())
    subject.subscribe { event in
      guard case .next(1) = event else { return }
      for _ in 0..<100 {
        let (first, second) = (lifetimes.make(), lifetimes.make())
        let subscriptions = [subject.subscribe { _ in first.touch() }, subject.subscribe { _ in second.touch() }]
        for subscription in subscriptions { subscription.dispose() }
      }
      subject.subscribe(stays).disposed(by: bag)
      let third = lifetimes.make()
      subject.subscribe { _ in third.touch() }.dispose()
      seen.mutate { $0.append(lifetimes.alive) }
    }.disposed(by: bag)
    subject.onNext(1)
    // Only `third` was still alive then: the callback itself retains it until it returns.
    #expect(seen.value == [1])
    #expect(lifetimes.alive == 0)
    subject.onNext(2)
    #expect(stays.values == [2])
    bag.dispose()
    #expect(!subject.hasObservers)
  }

  // contract 1.4: a dispose on the delivering thread cuts the subscriber off, also if another thread has disposed it before
  @Test func disposingAgainOnTheDeliveringThreadCutsOff() async {
    let (subject, second, seen) = (PublishSubject<Int>(), Locked<(any Disposable)?>(nil), Locked<[Int]>([]))
    let first = subject.subscribe(onNext: { _ in
      let (subscription, isDisposed) = (second.value!, Signal())
      Thread {
        subscription.dispose()
        isDisposed.fire()
      }.start()
      #expect(isDisposed.wait())
      subscription.dispose()
    })
    second.mutate { $0 = subject.subscribe(onNext: { number in seen.mutate { $0.append(number) } }) }
    await onThread { subject.onNext(1) }
    #expect(seen.value == [])
    first.dispose()
  }
}
