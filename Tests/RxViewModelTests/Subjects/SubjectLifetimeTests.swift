import Foundation
import RxViewModel
import Testing

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

  // contract 1.5, 1.10: both deliveries have been handed over when the last reference is released. The first subscriber waits in the middle
  // of the rest, and the replay catches up with it.
  @Test func aReplayAndADeliveryFinishAfterTheReleaseOfTheSubject() async {
    let (first, second) = (Recorder<Int>(), Recorder<Int>())
    let subject = Locked<ReplaySubject<Int>?>(ReplaySubject(bufferSize: 1))
    let (isInReplay, replays, hasSubscribed) = (Signal(), Signal(), Signal())
    let (isInDelivery, delivers, isHeld, goesOn) = (Signal(), Signal(), Signal(), Signal())
    let firstSubscription = subject.value!.subscribe { event in
      first.on(event)
      if case .next(1_501) = event {
        isInDelivery.fire()
        #expect(delivers.wait())
      }
      if case .next(3_000) = event {
        isHeld.fire()
        #expect(goesOn.wait())
      }
    }
    subject.value!.onNext(0)
    Thread.detachNewThread {
      _ = subject.value!.subscribe { event in
        second.on(event)
        if case .next(0) = event {
          isInReplay.fire()
          #expect(replays.wait())
        }
      }
      hasSubscribed.fire()
    }
    await onThread {
      #expect(isInReplay.wait())
      for number in 1...1_500 { subject.value!.onNext(number) }
      let sent = Signal()
      Thread.detachNewThread {
        subject.value!.onNext(1_501)
        sent.fire()
      }
      #expect(isInDelivery.wait())
      for number in 1_502...5_000 { subject.value!.onNext(number) }
      delivers.fire()
      // The sender delivers 1,024 numbers of other threads. A continuation delivers the rest.
      #expect(sent.wait())
      #expect(isHeld.wait())
      replays.fire()
      #expect(hasSubscribed.wait())
      subject.mutate { $0 = nil }
    }
    #expect(await eventually { second.sent.last == 3_000 })
    goesOn.fire()
    #expect(await eventually { first.sent.count == 5_001 })
    #expect(first.sent == Array(0...5_000))
    #expect(await eventually { second.sent.count == 5_001 })
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
