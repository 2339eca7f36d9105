import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// `flatMapLatest`, `flatMapFirst`, `concatMap`.
@Suite struct InnerStreamTests {
  /// Each element starts an inner stream: element × 10 after 4 ms, × 10 + 1 after 8 ms, the completion after 12 ms.
  private func inner(_ element: Int, _ scheduler: TestScheduler) -> Observable<Int> {
    scheduler.coldObservable(events([4: element * 10, 8: element * 10 + 1], completed: 12)).asObservable()
  }

  @Test func latest() {
    #expect(
      outcome(of: events([0: 1, 6: 2], completed: 7)) { source, scheduler in
        source.flatMapLatest { inner($0, scheduler) }
      } == events([4: 10, 10: 20, 14: 21], completed: 18))
  }

  // contract 1: `flatMapFirst` ignores outer elements while an inner stream is active
  @Test func first() {
    #expect(
      outcome(of: events([0: 1, 6: 2, 12: 3, 13: 4], completed: 14)) { source, scheduler in
        source.flatMapFirst { inner($0, scheduler) }
      } == events([4: 10, 8: 11, 17: 40, 21: 41], completed: 25))
  }

  @Test func concat() {
    #expect(
      outcome(of: events([0: 1, 6: 2], completed: 7)) { source, scheduler in
        source.concatMap { inner($0, scheduler) }
      } == events([4: 10, 8: 11, 16: 20, 20: 21], completed: 24))
  }

  // contract 1: the operators complete when the outer stream and the last inner stream have
  @Test func theOuterStreamMayBeTheLastToComplete() {
    let source = events([0: 1], completed: 30)
    let expected = events([4: 10, 8: 11], completed: 30)
    #expect(outcome(of: source) { source, scheduler in source.flatMapLatest { inner($0, scheduler) } } == expected)
    #expect(outcome(of: source) { source, scheduler in source.flatMapFirst { inner($0, scheduler) } } == expected)
    #expect(outcome(of: source) { source, scheduler in source.concatMap { inner($0, scheduler) } } == expected)
  }

  @Test func errorsOfEitherEndBoth() {
    typealias Operation =
      @Sendable (Observable<Int>, @escaping @Sendable (Int) throws -> Observable<Int>) -> Observable<Int>
    let operations: [Operation] = [
      { $0.flatMap($1) }, { $0.flatMapLatest($1) }, { $0.flatMapFirst($1) }, { $0.concatMap($1) },
    ]
    for operation in operations {
      let (outer, inner) = (PublishSubject<Int>(), PublishSubject<Int>())
      let innerFails = operation(outer.asObservable()) { _ in inner.asObservable() }.test()
      outer.onNext(1)
      inner.onNext(5)
      inner.onError(TestError())
      #expect(innerFails.values == [5])
      #expect(innerFails.error is TestError)
      #expect(!outer.hasObservers)

      let (outer2, inner2) = (PublishSubject<Int>(), PublishSubject<Int>())
      let outerFails = operation(outer2.asObservable()) { _ in inner2.asObservable() }.test()
      outer2.onNext(1)
      outer2.onError(TestError())
      #expect(outerFails.error is TestError)
      #expect(!inner2.hasObservers)

      // contract 1.7
      let outer3 = PublishSubject<Int>()
      let throwing = operation(outer3.asObservable()) { _ in throw TestError() }.test()
      outer3.onNext(1)
      #expect(throwing.error is TestError)
      #expect(!outer3.hasObservers)

      let (outer4, inner4) = (PublishSubject<Int>(), PublishSubject<Int>())
      let disposed = operation(outer4.asObservable()) { _ in inner4.asObservable() }.test()
      outer4.onNext(1)
      disposed.dispose()
      #expect(!outer4.hasObservers)
      #expect(!inner4.hasObservers)
    }
  }

  // contract 1: `concatMap` calls its closure when the turn of the inner stream comes
  @Test func concatMapCallsItsClosureInTurn() {
    let (outer, first, called) = (PublishSubject<Int>(), PublishSubject<Int>(), Locked<[Int]>([]))
    let observer = outer.concatMap { number -> Observable<Int> in
      called.mutate { $0.append(number) }
      return number == 1 ? first.asObservable() : .just(number)
    }.test()
    outer.onNext(1)
    outer.onNext(2)
    outer.onNext(3)
    #expect(called.value == [1])
    first.onCompleted()
    #expect(called.value == [1, 2, 3])
    #expect(observer.values == [2, 3])
  }

  // The inner stream replays on the scheduler, outside the delivery of the outer element, so another outer element can cut it off.
  @Test func switchingCutsOffAReplay() {
    let (outer, scheduler) = (PublishSubject<Int>(), TestScheduler())
    let observer = outer.flatMapLatest { number in
      number == 1 ? Observable.from(10..<20).subscribe(on: scheduler) : .just(number)
    }.do(onNext: { if $0 == 12 { outer.onNext(2) } }).test()
    outer.onNext(1)
    scheduler.run()
    #expect(observer.values == [10, 11, 12, 2])
  }

  // contract 1.7: the source ends at the throw, although it ignores that the operator wants no more, and the error waits for its turn
  @Test func aThrowInsideACallbackStopsATimer() {
    let (scheduler, inner, calls) = (TestScheduler(), PublishSubject<Int>(), Locked<[Int]>([]))
    let observer = Observable.interval(.seconds(1), scheduler: scheduler).flatMap { number -> Observable<Int> in
      calls.mutate { $0.append(number) }
      if number == 1 { throw TestError() }
      return inner.asObservable()
    }.do(onNext: { _ in
      scheduler.advance(by: .seconds(3))
      #expect(scheduler.pendingCount == 0)
    }).test()
    scheduler.advance(by: .seconds(1))
    inner.onNext(7)
    #expect(calls.value == [0, 1])
    #expect(observer.values == [7])
    #expect(observer.error is TestError)
  }

  // contract 1.7: also if the element has waited for the end of an inner stream
  @Test func aThrowForAWaitingElementDisposesTheSource() {
    let (outer, inners, calls) = (PublishSubject<Int>(), (0..<3).map { _ in PublishSubject<Int>() }, Locked<[Int]>([]))
    let observer = outer.flatMap(maxConcurrent: 3) { number -> Observable<Int> in
      calls.mutate { $0.append(number) }
      if number == 3 { throw TestError() }
      return number < 3 ? inners[number].asObservable() : .never()
    }.do(onNext: { _ in
      inners[1].onCompleted()
      #expect(!outer.hasObservers)
      outer.onNext(4)
      inners[2].onCompleted()
    }).test()
    for number in 0...3 { outer.onNext(number) }
    inners[0].onNext(7)
    #expect(calls.value == [0, 1, 2, 3])
    #expect(observer.values == [7])
    #expect(observer.error is TestError)
  }

  // contract 1.4: the waiting elements of a superseded inner stream are not delivered
  @Test func waitingElementsOfASupersededInnerStreamAreDropped() {
    let (outer, first) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = outer.flatMapLatest { $0 == 1 ? first.asObservable() : .just(99) }.do(onNext: { number in
      guard number == 1 else { return }
      first.onNext(2)
      outer.onNext(2)
      first.onNext(3)
    }).test()
    outer.onNext(1)
    first.onNext(1)
    #expect(observer.values == [1, 99])
    #expect(!first.hasObservers)
  }

  // contract 1.6: a million elements wait, and the operator subscribes to their inner streams one after the other
  @Test func waitingInnerStreamsFollowWithoutRecursion() async {
    #if DEBUG
      let count = 20_000
    #else
      let count = 1_000_000
    #endif
    let (first, sum) = (PublishSubject<Int>(), Locked(0))
    let inOneCall = await onThread(stackSize: smallStack) {
      _ = Observable.from(0..<count).concatMap { number in
        number == 0 ? first.asObservable() : number % 2 == 0 ? .just(1) : .from([1])
      }.subscribe(onNext: { number in sum.mutate { $0 += number } })
      first.onCompleted()
      return sum.value
    }
    #expect(inOneCall == count - 1)
  }

  // Other libraries take quadratic time here, because the removal of the first element moves all others.
  @Test(.stress, .ownThread) func waitingInnerStreamsTakeLinearTime() {
    let bound = 3.0
    var comparison = CostComparison()
    while comparison.needsMore(toBeBelow: bound) {
      comparison.add(small: costOfAThousandElements(waiting: 5_000), large: costOfAThousandElements(waiting: 20_000))
    }
    #expect(comparison.ratio < bound)
  }

  /// The processor time in which `concatMap` delivers the first thousand of the waiting elements.
  private func costOfAThousandElements(waiting count: Int) -> Double {
    let (first, last) = (PublishSubject<Int>(), Locked(0))
    let subscription = Observable.from(0...count).concatMap { number in
      number == 0 ? first.asObservable() : Observable.from([number])
    }.take(1_000).subscribe(onNext: { number in last.mutate { $0 = number } })
    let cost = processorTime { first.onCompleted() }
    #expect(last.value == 1_000)
    subscription.dispose()
    return cost
  }
}
