import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// `flatMap`, `flatMapLatest`, `flatMapFirst`, `concatMap`. `DifferentialTests` tests what they send, and when.
struct InnerStreamTests {
  typealias Flatten = @Sendable (Observable<Int>, @escaping @Sendable (Int) -> Observable<Int>) -> Observable<Int>

  private static let operators: [(name: String, flatten: Flatten)] = [
    ("flatMap", { $0.flatMap($1) }), ("flatMap(maxConcurrent:)", { $0.flatMap(maxConcurrent: 2, $1) }),
    ("flatMapLatest", { $0.flatMapLatest($1) }), ("flatMapFirst", { $0.flatMapFirst($1) }),
    ("concatMap", { $0.concatMap($1) }),
  ]

  // contract 1.4
  @Test(arguments: ["error of the inner stream", "error of the outer stream", "dispose"])
  func anEndEndsBothSubscriptions(end: String) {
    for (name, flatten) in Self.operators {
      let (outer, inner) = (PublishSubject<Int>(), PublishSubject<Int>())
      let observer = flatten(outer.asObservable()) { _ in inner.asObservable() }.test()
      outer.onNext(1)
      switch end {
      case "dispose": observer.dispose()
      case "error of the inner stream": inner.onError(TestError())
      default: outer.onError(TestError())
      }
      #expect((observer.error == nil) == (end == "dispose"), "\(name)")
      #expect(!outer.hasObservers && !inner.hasObservers, "\(name)")
    }
  }

  // contract 1.7: the operator disposes the source at the throw, although the error waits for its turn
  @Test func aThrowInsideACallbackDisposesTheSource() {
    let (outer, inner, calls) = (PublishSubject<Int>(), PublishSubject<Int>(), Locked<[Int]>([]))
    let log = Locked<[String]>([])
    let subscription = outer.flatMap { number -> Observable<Int> in
      calls.mutate { $0.append(number) }
      if number == 2 { throw TestError() }
      return inner.asObservable()
    }.subscribe(
      onNext: { number in
        outer.onNext(2)
        #expect(!outer.hasObservers)
        outer.onNext(3)
        log.mutate { $0.append("\(number)") }
      }, onError: { _ in log.mutate { $0.append("error") } })
    outer.onNext(1)
    inner.onNext(7)
    #expect(calls.value == [1, 2])
    #expect(log.value == ["7", "error"] && !inner.hasObservers)
    subscription.dispose()
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
    #expect(observer.values == [1, 99] && !first.hasObservers)
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
