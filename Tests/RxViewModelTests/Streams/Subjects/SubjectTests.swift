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
