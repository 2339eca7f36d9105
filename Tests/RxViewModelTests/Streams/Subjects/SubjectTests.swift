import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct SubjectTests {
  @Test func publishSendsToItsCurrentSubscribers() {
    let subject = PublishSubject<Int>()
    let early = subject.test()
    subject.onNext(1)
    let late = subject.test()
    subject.onNext(2)
    early.dispose()
    subject.onCompleted()
    subject.onNext(3)
    #expect(early.values == [1, 2])
    #expect(late.events == [Recorded(.zero, .next(2)), Recorded(.zero, .completed)] && !subject.hasObservers)
    #expect(subject.test().events == [Recorded(.zero, .completed)])
  }

  // contract 1.5, and "BehaviorSubject.value after the end is the last value"
  @Test func behaviorReplaysItsValue() {
    let subject = BehaviorSubject(value: 1)
    subject.onNext(2)
    #expect(subject.test().values == [2])
    subject.onError(TestError())
    subject.onNext(3)
    #expect(subject.value == 2 && subject.test().events == [Recorded(.zero, .error(TestError()))])
  }

  // contract 1.5
  @Test(arguments: [0, 1, 2, 3])
  func replaySendsTheLastElements(size: Int) {
    let subject = ReplaySubject<Int>(bufferSize: size)
    (1...5).forEach(subject.onNext)
    let expected = Array((1...5).suffix(size))
    let observer = subject.test()
    #expect(observer.values == expected)
    subject.onNext(6)
    #expect(observer.values == expected + [6])
    subject.onCompleted()
    let after = subject.test()
    #expect(after.values == Array((1...6).suffix(size)) && after.isCompleted)
  }

  // contract 1.4: a disposable does not keep the values of a subject alive
  @Test func releasesItsBufferWhileADisposableIsHeld() {
    let lifetimes = Lifetimes()
    var subject: BehaviorSubject<Lifetimes.Object>? = BehaviorSubject(value: lifetimes.make())
    let subscription = subject!.subscribe(onNext: { _ in })
    subject = nil
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(subscription) {}
  }

  // contract 1.3: a displaced value is released outside the lock
  @Test func aDeinitMayUseTheSubject() {
    final class Value: Sendable {
      let action: @Sendable () -> Void
      init(_ action: @escaping @Sendable () -> Void) { self.action = action }
      deinit { action() }
    }
    let reached = Locked(0)
    let numbers = BehaviorSubject(value: 0)
    let subject = ReplaySubject<Value>(bufferSize: 1)
    subject.onNext(
      Value { [weak subject] in
        _ = subject?.hasObservers
        numbers.onNext(1)
        reached.increment()
      })
    subject.onNext(Value {})
    #expect(reached.value == 1)
  }

  // contract 1.9: subscribers that leave in any order do not change the order of the others
  @Test func keepsTheOrderOfItsSubscribers() {
    let (subject, order) = (PublishSubject<Int>(), Locked<[Int]>([]))
    let subscriptions = (0..<100).map { place in
      subject.subscribe(onNext: { _ in order.mutate { $0.append(place) } })
    }
    for (place, subscription) in subscriptions.enumerated() where place % 3 != 0 { subscription.dispose() }
    subject.onNext(1)
    #expect(order.value == Array(stride(from: 0, to: 100, by: 3)))
    for subscription in subscriptions { subscription.dispose() }
    #expect(!subject.hasObservers)
  }
}

/// Subscribers call a subject from inside their callbacks.
struct SubjectReentrancyTests {
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
    #expect(seen.value == [1] && lifetimes.alive == 0)
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

// contract 1.4
struct SubjectLifetimeTests {
  @Test func anErrorIsReleasedWithItsSubjectWhileADisposableIsHeld() {
    struct Failure: Error { let object: Lifetimes.Object }
    let lifetimes = Lifetimes()
    var subject: PublishSubject<Int>? = PublishSubject()
    let subscription = subject!.subscribe { _ in }
    subject!.onError(Failure(object: lifetimes.make()))
    #expect(lifetimes.alive == 1)
    subject = nil
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(subscription) {}
  }

  // contract 1.5: the last reference is released while one thread delivers, and another one replays.
  @Test func aReplayAndADeliveryFinishAfterTheReleaseOfTheSubject() async {
    let (first, second) = (Recorder<Int>(), Recorder<Int>())
    let subject = Locked<ReplaySubject<Int>?>(ReplaySubject(bufferSize: 1))
    let (isInReplay, replays, hasSubscribed) = (Signal(), Signal(), Signal())
    let (isInDelivery, delivers, hasSent) = (Signal(), Signal(), Signal())
    let firstSubscription = subject.value!.subscribe { event in
      first.on(event)
      guard case .next(1) = event else { return }
      isInDelivery.fire()
      #expect(delivers.wait())
    }
    subject.value!.onNext(0)
    Thread.detachNewThread {
      _ = subject.value!.subscribe { event in
        second.on(event)
        guard case .next(0) = event else { return }
        isInReplay.fire()
        #expect(replays.wait())
      }
      hasSubscribed.fire()
    }
    await onThread {
      #expect(isInReplay.wait())
      Thread.detachNewThread {
        subject.value!.onNext(1)
        hasSent.fire()
      }
      #expect(isInDelivery.wait())
      for number in 2...5_000 { subject.value!.onNext(number) }
      subject.mutate { $0 = nil }
      delivers.fire()
      #expect(hasSent.wait())
      replays.fire()
      #expect(hasSubscribed.wait())
    }
    #expect(first.sent == Array(0...5_000))
    #expect(second.sent == Array(0...5_000))
    #expect(first.faults + second.faults == [])
    withExtendedLifetime(firstSubscription) {}
  }
}
