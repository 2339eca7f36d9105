import RxViewModel
import Testing

// contract 1.4
@Suite struct SubjectLifetimeTests {
  @Test func anErrorGoesWithTheSubjectThoughADisposableIsHeld() {
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

  // The last reference goes inside the callback; the delivery goes on to its end, and nothing stays behind.
  @Test(arguments: [false, true])
  func aSubjectMayGoInsideItsOwnDelivery(isWeak: Bool) {
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
