import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// `flatMap(maxConcurrent:_:)`
@Suite struct MaxConcurrentTests {
  @Test func noMoreThanTheMaximumAreSubscribed() {
    let (scheduler, alive, most) = (TestScheduler(), Locked(0), Locked(0))
    let observer = Observable.from(1...10).flatMap(maxConcurrent: 3) { number in
      Observable.timer(.milliseconds(number), scheduler: scheduler).map { _ in number }.do(
        onSubscribe: {
          let now = alive.mutate { alive -> Int in
            alive += 1
            return alive
          }
          most.mutate { $0 = max($0, now) }
        }, onDispose: { alive.mutate { $0 -= 1 } })
    }.test(scheduler)
    scheduler.run()
    #expect(observer.values == Array(1...10))
    #expect(observer.isCompleted)
    #expect(most.value == 3)
    #expect(alive.value == 0)
  }

  @Test func oneAtATimeIsConcatMap() {
    let (scheduler, calls) = (TestScheduler(), Locked<[Int]>([]))
    let observer = Observable.of(1, 2).flatMap(maxConcurrent: 1) { number in
      calls.mutate { $0.append(number) }
      return scheduler.coldObservable(events([5: number], completed: 8)).asObservable()
    }.test(scheduler)
    // The operator calls `transform` when the turn of the element comes.
    #expect(calls.value == [1])
    scheduler.run()
    #expect(observer.events == events([5: 1, 13: 2], completed: 16))
  }

  @Test func anErrorDropsTheWaitingElements() {
    let (a, b, calls) = (PublishSubject<Int>(), PublishSubject<Int>(), Locked(0))
    let observer = Observable.of(a, b, a).flatMap(maxConcurrent: 2) { subject in
      calls.mutate { $0 += 1 }
      return subject.asObservable()
    }.test()
    a.onNext(1)
    b.onError(TestError())
    #expect(observer.values == [1])
    #expect(observer.error is TestError)
    #expect(!a.hasObservers)
    #expect(calls.value == 2)
  }

  // contract 1.7: also for an element that has waited
  @Test func aClosureThatThrowsEndsAll() {
    let subject = PublishSubject<Int>()
    let observer = Observable.of(1, 2).flatMap(maxConcurrent: 1) { number -> Observable<Int> in
      if number == 2 { throw TestError() }
      return subject.asObservable()
    }.test()
    subject.onCompleted()
    #expect(observer.error is TestError)
  }

  // contract 1.4
  @Test func aDisposeReleasesTheClosureAndTheInnerStreams() {
    let (subject, lifetimes) = (PublishSubject<Int>(), Lifetimes())
    let subscription: any Disposable
    do {
      let object = lifetimes.make()
      subscription = Observable.of(1, 2, 3).flatMap(maxConcurrent: 2) { _ in subject.map { object.passing($0) } }
        .subscribe { _ in }
    }
    #expect(lifetimes.alive == 1)
    subscription.dispose()
    #expect(lifetimes.alive == 0)
    #expect(!subject.hasObservers)
  }

  // contract 1.6
  @Test(.stress, arguments: [1, 3])
  func manySynchronousStreams(maxConcurrent: Int) async {
    let sum = Locked(0)
    await onThread(stackSize: smallStack) {
      let first = PublishSubject<Int>()
      // The streams that wait for the first ones follow one another at once.
      let sources = (0..<100_000).map { $0 < maxConcurrent ? first.asObservable() : .from([1]) }
      _ = Observable.from(sources).flatMap(maxConcurrent: maxConcurrent) { $0 }
        .subscribe(onNext: { number in sum.mutate { $0 += number } })
      #expect(sum.value == 0)
      first.onCompleted()
    }
    #expect(sum.value == 100_000 - maxConcurrent)
    await onThread(stackSize: smallStack) {
      _ = Observable.from(0..<100_000).flatMap(maxConcurrent: maxConcurrent) { _ in .just(1) }
        .subscribe(onNext: { number in sum.mutate { $0 += number } })
    }
    #expect(sum.value == 200_000 - maxConcurrent)
  }
}
