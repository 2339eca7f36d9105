import Foundation
import RxViewModel
import Testing

@testable import TestSupport

// contract 1.4
@Suite struct SubjectLifetimeTests {
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

  // The callback releases the last reference. The delivery still reaches both subscribers, and then releases them.
  @Test(arguments: [false, true])
  func aSubjectMayBeReleasedInsideItsOwnDelivery(isWeak: Bool) {
    let (lifetimes, seen) = (Lifetimes(), Locked<[Int]>([]))
    let subject = Locked<ReplaySubject<Int>?>(ReplaySubject(bufferSize: 1))
    let subscriptions: [any Disposable]
    do {
      let object = lifetimes.make()
      let first = subject.value!.subscribe { _ in
        object.touch()
        seen.mutate { $0.append(1) }
        subject.mutate { $0 = nil }
      }
      let second = subject.value!.subscribe { _ in
        object.touch()
        seen.mutate { $0.append(2) }
      }
      subscriptions = [first, second]
    }
    if isWeak {
      let send = { [weak subject = subject.value] in subject?.onNext(1) }
      send()
    } else {
      subject.value?.onNext(1)
    }
    #expect(seen.value == [1, 2])
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(subscriptions) {}
  }
}
