import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct CatchAndRetryTests {
  @Test func theHandlerGetsTheErrorAndMayThrow() {
    struct Other: Error {}
    let seen = Locked<(any Error)?>(nil)
    let observer = Observable<Int>.error(TestError()).catch { error in
      seen.mutate { $0 = error }
      throw Other()
    }.test()
    #expect(seen.value is TestError)
    #expect(observer.error is Other)
    #expect(Observable<Int>.error(TestError()).catch { _ in .error(Other()) }.test().error is Other)
  }

  @Test func stopsAtTheFirstSuccess() {
    let attempts = Locked(0)
    let source = Observable<Int>.deferred { attempts.increment() < 3 ? .error(TestError()) : .just(attempts.value) }
    #expect(source.retry(10).test().events == [Recorded(.zero, .next(3)), Recorded(.zero, .completed)])
    #expect(attempts.value == 3)
  }

  // Also if the stream ends while it is being subscribed
  @Test(arguments: [true, false])
  func eachStreamIsDisposedBeforeTheNext(isLater: Bool) {
    let operations: [@Sendable (Observable<Int>) -> Observable<Int>] = [
      { $0.retry(2) }, { source in source.catch { _ in source } }, { $0.catchAndReturn(0).concat($0) },
      { source in Observable.of(1, 2).concatMap { _ in source.catchAndReturn(0) } },
    ]
    for operation in operations {
      let scheduler = TestScheduler()
      let source = Producer { observer in
        if isLater { scheduler.schedule { observer.onError(TestError()) } } else { observer.onError(TestError()) }
      }
      let observer = operation(source.stream).test(scheduler)
      scheduler.run()
      #expect(source.log.value == ["open", "close", "open", "close"])
      observer.dispose()
    }
  }

  @Test func aDisposeStopsTheAttempts() {
    let (scheduler, subscribed) = (TestScheduler(), Locked(0))
    let source = scheduler.coldObservable(events([5: 1], error: 8)).do(onSubscribe: { subscribed.increment() })
    let observer = source.retry(.max).test(scheduler)
    scheduler.advance(by: .milliseconds(20))
    observer.dispose()
    // This call does not return if the attempts continue.
    scheduler.run()
    #expect(subscribed.value == 3)
    let count = Locked(0)
    let endless = Observable.of(1).concat(Observable.error(TestError()))
    #expect(endless.retry(.max).do(onNext: { _ in count.increment() }).take(5).test().isCompleted && count.value == 5)
  }

  // contract 1.4
  @Test func aDisposeEndsTheWaitingForTheNextAttempt() {
    let (scheduler, subscribed) = (TestScheduler(), Locked(0))
    let source = Observable<Int>.error(TestError()).do(onSubscribe: { subscribed.increment() })
    let observer = source.retry(5, delay: { _ in .seconds(1) }, scheduler: scheduler).test(scheduler)
    #expect(scheduler.pendingCount == 1)
    observer.dispose()
    #expect(scheduler.pendingCount == 0)
    scheduler.run()
    #expect(subscribed.value == 1 && observer.events.isEmpty)
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
    #expect(lifetimes.alive == 0 && observer.error is TestError)
  }
}

struct DemoteErrorsTests {
  private let failing = Observable.of(1, 2).concat(.error(TestError()))

  private final class Idle: RxViewModel<Never, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
    override func createInitialState() -> Int { 0 }
  }

  // contract 2.6
  @Test func theErrorGoesToTheErrorStreamsOfTheViewModelOnce() {
    let scheduler = TestScheduler()
    let viewModel = Idle(scheduler: scheduler)
    let (errors, pairs) = (viewModel.errorObservable.test(), viewModel.actionAndErrorObservable.test())
    let observer = failing.demoteErrors(to: viewModel).test()
    scheduler.run()
    #expect(observer.values == [1, 2] && observer.isCompleted)
    #expect(errors.values.compactMap { $0 as? TestError } == [TestError()] && pairs.values.count == 1)
    #expect(pairs.lastValue?.action == nil)
  }

  // contract 2.6
  @Test func aCancellationErrorGoesToNoErrorStream() {
    let scheduler = TestScheduler()
    let viewModel = Idle(scheduler: scheduler)
    let errors = viewModel.errorObservable.test()
    let observer = Observable<Int>.error(CancellationError()).demoteErrors(to: viewModel).test()
    scheduler.run()
    #expect(observer.isCompleted && errors.values.isEmpty)
  }

  // contract 2.9
  @Test func theViewModelIsNotKeptAlive() {
    let source = PublishSubject<Int>()
    weak var released: Idle?
    let observer = {
      let viewModel = Idle(scheduler: TestScheduler())
      released = viewModel
      return source.demoteErrors(to: viewModel).test()
    }()
    #expect(released == nil)
    source.onError(TestError())
    #expect(observer.isCompleted)
  }
}
