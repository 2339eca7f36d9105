import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct RetryWhenTests {
  private struct Other: Error {}

  @Test func anElementOfTheTriggerStartsAnotherAttempt() {
    let source = events([5: 1], error: 8)
    #expect(
      outcome(of: source) { source, scheduler in
        source.retry(when: { $0.delay(.milliseconds(10), scheduler: scheduler) }).take(3)
      } == events([5: 1, 23: 1, 41: 1], completed: 41))
  }

  // contract 1.4
  @Test func aReleasedTriggerReleasesTheFailureThatWaits() {
    var (source, trigger): (PublishSubject<Int>?, PublishSubject<Int>?) = (PublishSubject(), PublishSubject())
    weak var captured: Locked<Int>?
    do {
      let object = Locked(0)
      captured = object
      _ = Observable.deferred { [weak source] in source?.asObservable() ?? .never() }
        .retry { [weak trigger] _ in trigger?.asObservable() ?? .never() }
        .subscribe { _ in object.mutate { $0 += 1 } }
    }
    source?.onError(TestError())
    source = nil
    #expect(captured != nil)
    trigger = nil
    #expect(captured == nil)
  }

  @Test func aTriggerThatHasEndedEndsTheStreamAtTheNextFailure() {
    let (source, trigger) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = source.retry { _ in trigger }.test()
    trigger.onCompleted()
    source.onNext(1)
    #expect(!observer.isCompleted)
    source.onError(TestError())
    #expect(observer.isCompleted)
    #expect(observer.values == [1])
  }

  @Test func theTriggerGetsTheErrors() {
    let (attempts, seen) = (Locked(0), Locked<[String]>([]))
    let source = Observable<Int>.deferred {
      let attempt = attempts.mutate { attempts -> Int in
        attempts += 1
        return attempts
      }
      throw TestError("\(attempt)")
    }
    let observer = source.retry { errors in
      errors.map { error in
        seen.mutate { $0.append("\(error)") }
        if seen.value.count == 3 { throw Other() }
      }
    }.test()
    #expect(observer.error is Other)
    #expect(seen.value == ["1", "2", "3"])
  }

  // A trigger that has ended answers the next failure with its end.
  @Test func theEndOfTheTriggerEndsTheStreamAtTheNextFailure() {
    let source = events([5: 1], error: 8)
    func check(_ expected: [Recorded<Int>], _ trigger: @escaping @Sendable (Observable<any Error>) -> Observable<Int>) {
      #expect(outcome(of: source) { source, _ in source.retry(when: trigger) } == expected)
    }
    check(events([5: 1], completed: 8)) { _ in .empty() }
    check(events([5: 1], error: 8)) { _ in .error(TestError()) }
    check(events([5: 1, 13: 1, 21: 1], completed: 24)) { errors in errors.take(2).map { _ in 0 } }
  }

  @Test func theEndOfTheTriggerEndsTheStreamAtOnceIfAFailureWaits() {
    for end in [Event<Int>.completed, .error(TestError())] {
      let (source, trigger) = (PublishSubject<Int>(), PublishSubject<Int>())
      let observer = source.retry(when: { _ in trigger }).test()
      source.onError(TestError())
      #expect(observer.events.isEmpty)
      trigger.on(end)
      #expect(observer.events == [Recorded(.zero, end)])
    }
  }

  @Test func withoutAFailureATriggerDoesNothing() {
    let (subscribed, trigger, subject) = (Locked(0), BehaviorSubject(value: 0), PublishSubject<Int>())
    let source = subject.do(onSubscribe: { subscribed.mutate { $0 += 1 } })
    let observer = source.retry(when: { _ in trigger }).test()
    trigger.onNext(1)
    #expect(subscribed.value == 1)
    subject.onNext(1)
    subject.onCompleted()
    #expect(observer.values == [1])
    #expect(observer.isCompleted)
    #expect(!trigger.hasObservers)
  }

  @Test func theTriggerIsSubscribedOnceForEachSubscription() {
    let handled = Locked(0)
    let source = Observable<Int>.error(TestError()).retry { errors in
      handled.mutate { $0 += 1 }
      return errors.take(3)
    }
    #expect(source.test().isCompleted)
    #expect(source.test().isCompleted)
    #expect(handled.value == 2)
  }

  // contract 1.7
  @Test func aHandlerThatThrowsEndsTheStream() {
    let subscribed = Locked(0)
    let source = Observable.just(1).do(onSubscribe: { subscribed.mutate { $0 += 1 } })
    let observer = source.retry { errors -> Observable<any Error> in throw Other() }.test()
    #expect(observer.error is Other)
    #expect(subscribed.value == 0)
  }

  // contract 1.4: also while a failure waits for an answer of the trigger
  @Test func aDisposeReleasesEverything() {
    let (lifetimes, trigger, source) = (Lifetimes(), PublishSubject<Int>(), PublishSubject<Int>())
    for fails in [false, true] {
      let subscription: any Disposable
      do {
        let object = lifetimes.make()
        subscription = Observable.deferred { source.asObservable() }.map { object.passing($0) }
          .retry(when: { errors in errors.flatMap { _ in trigger.map { object.passing($0) } } }).subscribe { _ in }
      }
      if fails { source.onError(TestError()) }
      #expect(lifetimes.alive == 1)
      subscription.dispose()
      #expect(lifetimes.alive == 0)
      #expect(!trigger.hasObservers)
    }
  }

  // contract 1.6
  @Test(.stress) func manyAttempts() async {
    let attempts = await onThread(stackSize: smallStack) {
      let attempts = Locked(0)
      let source = Observable<Int>.deferred {
        attempts.mutate { $0 += 1 }
        throw TestError()
      }
      _ = source.retry(when: { $0.take(100_000) }).subscribe { _ in }
      return attempts.value
    }
    #expect(attempts == 100_001)
  }
}
