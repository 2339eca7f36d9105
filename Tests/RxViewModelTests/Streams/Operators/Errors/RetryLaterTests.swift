import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// `retry(_:delay:scheduler:while:)`
@Suite struct RetryLaterTests {
  @Test func waitsAfterEachFailure() {
    let (scheduler, asked) = (TestScheduler(), Locked<[Int]>([]))
    let source = scheduler.coldObservable(events([5: 1], error: 8))
    let delay: @Sendable (Int) -> Duration = { failure in
      asked.mutate { $0.append(failure) }
      return .milliseconds(10 * failure)
    }
    let observer = source.retry(3, delay: delay, scheduler: scheduler).test(scheduler)
    scheduler.run()
    // Attempts at 0, 18 and 46.
    #expect(observer.events == events([5: 1, 23: 1, 51: 1], error: 54))
    #expect(asked.value == [1, 2])
  }

  @Test func aSingleAttemptIsNotRetried() {
    let source = events([5: 1], error: 8)
    #expect(
      outcome(of: source) { source, scheduler in
        source.retry(1, delay: { _ in .seconds(1) }, scheduler: scheduler)
      } == source)
  }

  @Test func stopsAtTheFirstSuccess() {
    let (scheduler, attempts) = (TestScheduler(), Locked(0))
    let source = Observable<Int>.deferred {
      let attempt = attempts.mutate { attempts -> Int in
        attempts += 1
        return attempts
      }
      if attempt < 3 { throw TestError() }
      return .just(attempt)
    }
    let observer = source.retry(9, delay: { .milliseconds($0) }, scheduler: scheduler).test(scheduler)
    scheduler.run()
    #expect(observer.events == events([3: 3], completed: 3))
  }

  @Test func anErrorThatMustNotBeRetriedEndsTheStreamAtOnce() {
    let (scheduler, seen) = (TestScheduler(), Locked(0))
    let source = scheduler.coldObservable(events([:], error: 5) as [Recorded<Int>])
    let observer = source.retry(5, delay: { _ in .milliseconds(10) }, scheduler: scheduler) { error in
      seen.mutate { seen -> Bool in
        seen += 1
        return seen < 2 && error is TestError
      }
    }.test(scheduler)
    scheduler.run()
    #expect(observer.events == events([:], error: 20))
    #expect(seen.value == 2)
  }

  // contract 1.4
  @Test func aDisposeEndsTheWaiting() {
    let (scheduler, subscribed) = (TestScheduler(), Locked(0))
    let source = Observable<Int>.error(TestError()).do(onSubscribe: { subscribed.mutate { $0 += 1 } })
    let observer = source.retry(5, delay: { _ in .seconds(1) }, scheduler: scheduler).test(scheduler)
    #expect(scheduler.pendingCount == 1)
    observer.dispose()
    #expect(scheduler.pendingCount == 0)
    scheduler.run()
    #expect(subscribed.value == 1)
    #expect(observer.events.isEmpty)
  }

  // contract 1.4: while the operator waits, nothing of the failed attempt is alive
  @Test func aFailedAttemptIsReleasedBeforeTheNext() {
    let (scheduler, lifetimes) = (TestScheduler(), Lifetimes())
    let source = Observable<Int>.create { observer in
      let object = lifetimes.make()
      scheduler.schedule { observer.onError(TestError()) }
      return Disposables.create { object.touch() }
    }
    let observer = source.retry(2, delay: { _ in .seconds(1) }, scheduler: scheduler).test(scheduler)
    scheduler.advance()
    #expect(lifetimes.alive == 0)
    scheduler.run()
    #expect(lifetimes.alive == 0)
    #expect(observer.error is TestError)
  }

  // contract 1.6
  @Test(.stress) func manyAttemptsWithoutADelay() async {
    let attempts = await onThread(stackSize: smallStack) {
      let attempts = Locked(0)
      let source = Observable<Int>.deferred {
        attempts.mutate { $0 += 1 }
        throw TestError()
      }
      _ = source.retry(100_000, delay: { _ in .zero }, scheduler: ImmediateScheduler()).subscribe { _ in }
      return attempts.value
    }
    #expect(attempts == 100_000)
  }
}
