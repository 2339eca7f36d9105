import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct SubjectTests {
  @Test func publishSendsToItsCurrentSubscribers() {
    let subject = PublishSubject<Int>()
    #expect(!subject.hasObservers)
    let early = subject.test()
    #expect(subject.hasObservers)
    subject.onNext(1)
    let late = subject.test()
    subject.onNext(2)
    early.dispose()
    subject.onNext(3)
    subject.onCompleted()
    subject.onNext(4)
    #expect(early.values == [1, 2])
    #expect(late.events == [Recorded(.zero, .next(2)), Recorded(.zero, .next(3)), Recorded(.zero, .completed)])
    #expect(!subject.hasObservers)
    #expect(subject.test().events == [Recorded(.zero, .completed)])
  }

  // contract 1.5, and "BehaviorSubject.value after the end is the last value"
  @Test func behaviorReplaysItsValue() {
    let subject = BehaviorSubject(value: 1)
    let early = subject.test()
    subject.onNext(2)
    let late = subject.test()
    #expect(early.values == [1, 2])
    #expect(late.values == [2])
    subject.onError(TestError())
    subject.onNext(3)
    #expect(subject.value == 2)
    #expect(subject.test().events == [Recorded(.zero, .error(TestError()))])
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
    #expect(after.values == Array((1...6).suffix(size)))
    #expect(after.isCompleted)
  }

  // contract 1.2: event 2, sent from inside the callback of event 1, reaches every subscriber after event 1
  @Test func causalityHolds() {
    let subject = PublishSubject<Int>()
    let first = subject.subscribe(onNext: { if $0 < 5 { subject.onNext($0 + 1) } })
    let second = subject.test()
    subject.onNext(1)
    #expect(second.values == [1, 2, 3, 4, 5])
    first.dispose()
  }

  // contract 1.5: an event that waits for its turn is in the buffer already, and is delivered once
  @Test func aSubscriberFromInsideACallbackGetsEachValueOnce() {
    let subject = BehaviorSubject(value: 0)
    let late = TestObserver<Int>()
    let first = subject.subscribe(onNext: { number in
      guard number == 1 else { return }
      subject.onNext(2)
      #expect(subject.value == 2)
      _ = subject.subscribe(late)
      #expect(late.values == [2])
    })
    subject.onNext(1)
    subject.onNext(3)
    #expect(late.values == [2, 3])
    first.dispose()
  }

  // contract 1.5: two replays that overlap and end in the other order, while values wait for their turn
  @Test func overlappingReplaysGetEachValueOnce() {
    let subject = BehaviorSubject(value: 0)
    let (early, late) = (TestObserver<Int>(), TestObserver<Int>())
    let bag = DisposeBag()
    subject.subscribe(onNext: { number in
      guard number == 1 else { return }
      subject.subscribe(onNext: { number in
        early.onNext(number)
        guard early.values.count == 1 else { return }
        subject.onNext(2)
        subject.onNext(3)
        _ = subject.subscribe(late)
      }).disposed(by: bag)
    }).disposed(by: bag)
    subject.onNext(1)
    subject.onNext(4)
    #expect(early.values == [1, 2, 3, 4])
    #expect(late.values == [3, 4])
    bag.dispose()
  }

  // contract 1.4
  @Test func disposeFromInsideACallbackCutsOffAtOnce() {
    let subject = PublishSubject<Int>()
    let (serial, seen) = (SerialDisposable(), Locked<[Int]>([]))
    let first = subject.subscribe(onNext: { if $0 == 2 { serial.dispose() } })
    serial.replace(
      with: subject.subscribe(onNext: { number in
        seen.mutate { $0.append(number) }
      }))
    subject.onNext(1)
    subject.onNext(2)
    subject.onNext(3)
    #expect(seen.value == [1])
    first.dispose()
  }

  // contract 1.4
  @Test(arguments: ["dispose", "completed", "error", "release"])
  func releasesItsSubscribers(end: String) {
    let lifetimes = Lifetimes()
    var subject: BehaviorSubject<Int>? = BehaviorSubject(value: 0)
    let subscription: any Disposable
    do {
      let object = lifetimes.make()
      subscription = subject!.map { $0 }.filter { _ in true }.subscribe { _ in object.touch() }
    }
    #expect(lifetimes.alive == 1)
    switch end {
    case "dispose": subscription.dispose()
    case "completed": subject?.onCompleted()
    case "error": subject?.onError(TestError())
    default: subject = nil
    }
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(subscription) {}
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
        reached.mutate { $0 += 1 }
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
  }
}
