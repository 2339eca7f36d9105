import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
@Suite("Work that waits on a TestScheduler is released with it") struct PendingWorkTests {
  /// The number of objects that a subscription keeps alive after the test has released the scheduler and everything else without a dispose.
  private func leftovers(
    _ stream: (Observable<Int>, TestScheduler) -> Observable<Int>
  ) -> Int {
    let lifetimes = Lifetimes()
    do {
      let (scheduler, source, object) = (TestScheduler(), BehaviorSubject(value: 1), lifetimes.make())
      _ = stream(source.asObservable(), scheduler).subscribe { _ in object.touch() }
      scheduler.advance()
    }
    return lifetimes.alive
  }

  @Test func ofDebounce() {
    #expect(leftovers { $0.debounce(.seconds(1), scheduler: $1) } == 0)
  }

  @Test func ofThrottle() {
    #expect(leftovers { $0.throttle(.seconds(1), scheduler: $1) } == 0)
  }

  @Test func ofDelay() {
    #expect(leftovers { $0.delay(.seconds(1), scheduler: $1) } == 0)
  }

  @Test func ofTimeout() {
    #expect(leftovers { $0.timeout(.seconds(1), scheduler: $1) } == 0)
  }

  @Test func ofAnInterval() {
    #expect(leftovers { .interval(.seconds(1), scheduler: $1) } == 0)
  }

  @Test func ofATimer() {
    #expect(leftovers { .timer(.seconds(1), scheduler: $1) } == 0)
  }

  @Test func ofATimeoutThatIsRetried() {
    #expect(leftovers { Observable.never().timeout(.seconds(1), scheduler: $1).retry(3) } == 0)
  }

  @Test func ofAColdObservable() {
    #expect(leftovers { $1.coldObservable([Recorded(.seconds(1), .next(1))]).asObservable() } == 0)
  }

  @Test func ofAColdObservableInAFlatMap() {
    #expect(
      leftovers { source, scheduler in
        let inner = scheduler.coldObservable([Recorded(.seconds(1), .next(1))]).asObservable()
        return source.flatMapLatest { _ in inner }
      } == 0)
  }

  @Test func ofSubscribeOn() {
    let lifetimes = Lifetimes()
    do {
      let (scheduler, object) = (TestScheduler(), lifetimes.make())
      _ = Observable.just(1).subscribe(on: scheduler).subscribe { _ in object.touch() }
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func ofObserveOn() {
    let lifetimes = Lifetimes()
    do {
      let (scheduler, object) = (TestScheduler(), lifetimes.make())
      _ = Observable.just(1).observe(on: scheduler).subscribe { _ in object.touch() }
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func ofATestObserver() {
    let lifetimes = Lifetimes()
    do {
      let (scheduler, object) = (TestScheduler(), lifetimes.make())
      _ = Observable.interval(.seconds(1), scheduler: scheduler).do(onNext: { _ in object.touch() }).test(scheduler)
    }
    #expect(lifetimes.alive == 0)
  }

  // contract 1.3: the scheduler releases work outside its lock, so the `deinit` of an object that the work retains may schedule.
  @Test func itIsReleasedOutsideTheLock() {
    final class SchedulesAtItsEnd: Sendable {
      let scheduler: any Scheduler
      init(_ scheduler: any Scheduler) { self.scheduler = scheduler }
      deinit { scheduler.schedule {} }
    }
    weak var released: TestScheduler?
    do {
      let scheduler = TestScheduler()
      released = scheduler
      let subject = PublishSubject<Int>()
      let object = SchedulesAtItsEnd(ImmediateScheduler())
      _ = subject.debounce(.seconds(1), scheduler: scheduler).subscribe { _ in _ = object.scheduler }
      subject.onNext(1)
    }
    #expect(released == nil)
  }
}
