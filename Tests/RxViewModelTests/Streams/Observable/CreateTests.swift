import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct CreateTests {
  // contract 1.1
  @Test func enforcesTheGrammarOnBadlyBehavedProducers() {
    let observer = Observable<Int>.create { observer in
      observer.onNext(1)
      observer.onCompleted()
      observer.onNext(2)
      observer.onError(TestError())
      observer.onCompleted()
      return Disposables.create()
    }.test()
    #expect(observer.events == [Recorded(.zero, .next(1)), Recorded(.zero, .completed)])
  }

  // contract 1.2
  @Test func serializesEventsFromManyThreads() async {
    let kept = Locked<AnyObserver<Int>?>(nil)
    let source = Observable<Int>.create { observer in
      kept.mutate { $0 = observer }
      return Disposables.create()
    }
    let (inside, overlaps, total) = (Locked(0), Locked(0), Locked(0))
    let subscription = source.subscribe(onNext: { _ in
      if inside.mutate({
        $0 += 1
        return $0
      }) > 1 {
        overlaps.mutate { $0 += 1 }
      }
      inside.mutate { $0 -= 1 }
      total.mutate { $0 += 1 }
    })
    let observer = kept.value!
    await race(threads: 4) { _ in for number in 0..<5_000 { observer.onNext(number) } }
    #expect(overlaps.value == 0)
    #expect(total.value == 20_000)
    subscription.dispose()
  }

  // contract 1: the disposable that the closure of `create` returns runs once
  @Test(arguments: ["completed", "error", "dispose", "completed inside", "taken"])
  func disposesItsResourceOnce(end: String) {
    let (disposals, kept) = (Locked(0), Locked<AnyObserver<Int>?>(nil))
    let source = Observable<Int>.create { observer in
      kept.mutate { $0 = observer }
      if end == "completed inside" { observer.onCompleted() }
      return Disposables.create { disposals.mutate { $0 += 1 } }
    }
    let subscription = source.map { number in
      if end == "taken" { throw TestError() }
      return number
    }.subscribe { _ in }
    switch end {
    case "completed": kept.value?.onCompleted()
    case "error": kept.value?.onError(TestError())
    case "taken": kept.value?.onNext(1)
    default: break
    }
    if end != "dispose" { #expect(disposals.value == 1) }
    subscription.dispose()
    subscription.dispose()
    #expect(disposals.value == 1)
  }

  // contract 1.4: what a stream holds is disposed before its terminal event is passed on
  @Test(arguments: [false, true])
  func itsResourceIsDisposedBeforeTheTerminalEventIsPassedOn(isError: Bool) {
    let (log, kept) = (Locked<[String]>([]), Locked<AnyObserver<Int>?>(nil))
    let source = Observable<Int>.create { observer in
      kept.mutate { $0 = observer }
      return Disposables.create { log.mutate { $0.append("disposed") } }
    }
    _ = source.subscribe { _ in log.mutate { $0.append("end") } }
    if isError { kept.value?.onError(TestError()) } else { kept.value?.onCompleted() }
    #expect(log.value == ["disposed", "end"])
  }

  // contract 1.4
  @Test(arguments: ["dispose", "completed", "error"])
  func releasesTheSubscriberThoughObserverAndDisposableAreRetained(end: String) {
    let (lifetimes, kept) = (Lifetimes(), Locked<AnyObserver<Int>?>(nil))
    let source = Observable<Int>.create { observer in
      kept.mutate { $0 = observer }
      return Disposables.create()
    }
    let object = Locked<Lifetimes.Object?>(lifetimes.make())
    let subscription = source.subscribe { [object = object.value!] _ in object.touch() }
    object.mutate { $0 = nil }
    #expect(lifetimes.alive == 1)
    switch end {
    case "dispose": subscription.dispose()
    case "completed": kept.value?.onCompleted()
    default: kept.value?.onError(TestError())
    }
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(subscription) {}
  }

  // contract 1: a subscription is released when its producer is
  @Test func isReleasedWithItsProducer() {
    let lifetimes = Lifetimes()
    do {
      let object = lifetimes.make()
      let never = Observable<Int>.create { _ in Disposables.create() }
      _ = Observable.merge([never, never]).flatMap { _ in never }.subscribe { _ in object.touch() }
      _ = Observable.combineLatest(never, never) { $0 + $1 }.subscribe { _ in object.touch() }
    }
    #expect(lifetimes.alive == 0)
  }
}

@Suite struct CreatingTests {
  // contract 1.1
  @Test func theCreatingFunctionsSendTheirElements() {
    #expect(Observable.just(1).test().events == [Recorded(.zero, .next(1)), Recorded(.zero, .completed)])
    #expect(
      Observable.of(1, 2).test().events.map(\.description) == [
        "0.0 seconds: 1", "0.0 seconds: 2", "0.0 seconds: completed",
      ])
    #expect(Observable.from(1...3).test().values == [1, 2, 3])
    #expect(Observable<Int>.empty().test().events == [Recorded(.zero, .completed)])
    #expect(Observable<Int>.never().test().events == [])
    #expect(Observable<Int>.error(TestError()).test().events == [Recorded(.zero, .error(TestError()))])
  }

  // contract 1.8
  @Test func deferredCallsItsFactoryPerSubscription() {
    let calls = Locked(0)
    let source = Observable<Int>.deferred {
      .just(
        calls.mutate {
          $0 += 1
          return $0
        })
    }
    #expect(calls.value == 0)
    #expect(source.test().values == [1])
    #expect(source.test().values == [2])
    #expect(Observable<Int>.deferred { throw TestError() }.test().error as? TestError == TestError())
  }

  // contract 1.4: an operator's end cuts off the elements that a replay has not delivered, also an endless one
  @Test func anEndlessSequenceStopsWhereTheSubscriptionEnds() {
    let passed = Locked(0)
    let observer = Observable.from(1...Int.max)
      .do(onNext: { _ in passed.mutate { $0 += 1 } })
      .map { number in
        if number == 3 { throw TestError() }
        return number
      }.test()
    #expect(observer.values == [1, 2])
    #expect(passed.value == 3)
  }

  // contract 1.4: also behind an operator that drops the elements, and does not pass on that the subscription has ended
  @Test func anEndStopsASequenceWithin256Elements() {
    let (last, end) = (Locked(0), PublishSubject<Void>())
    let observer = Observable.from(1...Int.max).filter { number in
      last.mutate { $0 = number }
      if number == 1_000 { end.onNext(()) }
      return number > 100_000
    }.take(until: end).test()
    #expect(observer.isCompleted)
    #expect(last.value <= 1_000 + 256)
  }
}
