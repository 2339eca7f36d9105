import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
/// Work that waits on a TestScheduler is released with it.
struct PendingWorkTests {
  private typealias Waiting = @Sendable (Observable<Int>, TestScheduler) -> Observable<Int>

  /// Streams that wait for the scheduler as soon as they are subscribed, by name.
  private static let streams: [String: Waiting] = [
    "debounce": { $0.debounce(.seconds(1), scheduler: $1) },
    "throttle": { $0.throttle(.seconds(1), scheduler: $1) },
    "delay": { $0.delay(.seconds(1), scheduler: $1) },
    "timeout": { $0.timeout(.seconds(1), scheduler: $1) },
    "timeout and retry": { Observable.never().timeout(.seconds(1), scheduler: $1).retry(3) },
    "interval": { .interval(.seconds(1), scheduler: $1) },
    "timer": { .timer(.seconds(1), scheduler: $1) },
    "subscribe(on:)": { $0.subscribe(on: $1) },
    "observe(on:)": { $0.observe(on: $1) },
    "coldObservable": { $1.coldObservable([Recorded(.seconds(1), .next(1))]).asObservable() },
    "flatMapLatest": { source, scheduler in
      let inner = scheduler.coldObservable([Recorded(.seconds(1), .next(1))]).asObservable()
      return source.flatMapLatest { _ in inner }
    },
  ]

  // The test disposes nothing.
  @Test(arguments: streams.keys.sorted(), [true, false])
  func ofAStream(name: String, isRecorded: Bool) throws {
    let (lifetimes, waiting) = (Lifetimes(), try #require(Self.streams[name]))
    do {
      let (scheduler, source, object) = (TestScheduler(), BehaviorSubject(value: 1), lifetimes.make())
      let stream = waiting(source.asObservable(), scheduler).do(onNext: { _ in object.touch() })
      if isRecorded { _ = stream.test(scheduler) } else { _ = stream.subscribe { _ in } }
      #expect(scheduler.pendingCount > 0)
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func ofTheTestItselfUnlessItIsDisposed() {
    let lifetimes = Lifetimes()
    let work: any Disposable
    do {
      let scheduler = TestScheduler()
      do {
        let object = lifetimes.make()
        scheduler.schedule(after: .seconds(1)) { object.touch() }.dispose()
      }
      #expect(lifetimes.alive == 0)
      let object = lifetimes.make()
      work = scheduler.schedule(after: .seconds(1)) { object.touch() }
    }
    #expect(lifetimes.alive == 0)
    work.dispose()
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
