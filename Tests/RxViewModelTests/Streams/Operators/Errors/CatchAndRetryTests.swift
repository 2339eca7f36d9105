import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct CatchAndRetryTests {
  @Test func continuesWithAnotherStream() {
    let source = events([5: 1], error: 8)
    #expect(
      outcome(of: source) { source, scheduler in
        source.catch { _ in scheduler.coldObservable(events([2: 7], completed: 4)).asObservable() }
      } == events([5: 1, 10: 7], completed: 12))
    #expect(outcome(of: source) { source, _ in source.catchAndReturn(9) } == events([5: 1, 8: 9], completed: 8))
    let whole = events([5: 1], completed: 8)
    #expect(outcome(of: whole) { source, _ in source.catchAndReturn(9) } == whole)
  }

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

  @Test func aDisposeEndsTheReplacement() {
    let (source, replacement) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = source.catch { _ in replacement.asObservable() }.test()
    source.onError(TestError())
    replacement.onNext(1)
    observer.dispose()
    #expect(!replacement.hasObservers)
    #expect(observer.values == [1])
  }

  // contract 1.4: a dispose in the middle of a replay
  @Test func aDisposeCutsOffTheReplacementsReplay() {
    let (source, serial, recorder) = (PublishSubject<Int>(), SerialDisposable(), Recorder<Int>())
    serial.replace(
      with: source.catch { _ in .from(0..<10) }.subscribe { event in
        recorder.on(event)
        if case .next(3) = event { serial.dispose() }
      })
    source.onError(TestError())
    #expect(recorder.elements == [0, 1, 2, 3])
    #expect(recorder.end == nil)
  }

  // contract 1: `retry(n)` subscribes at most n times in all
  @Test(arguments: [1, 2, 5])
  func retries(count: Int) {
    let subscribed = Locked(0)
    let source = Observable.of(1).concat(Observable.error(TestError())).do(onSubscribe: {
      subscribed.mutate { $0 += 1 }
    })
    let observer = source.retry(count).test()
    #expect(observer.values == Array(repeating: 1, count: count))
    #expect(observer.error is TestError)
    #expect(subscribed.value == count)
  }

  @Test func stopsAtTheFirstSuccess() {
    let attempts = Locked(0)
    let source = Observable<Int>.deferred {
      let attempt = attempts.mutate {
        $0 += 1
        return $0
      }
      if attempt < 3 { throw TestError() }
      return .just(attempt)
    }
    #expect(source.retry(10).test().events == [Recorded(.zero, .next(3)), Recorded(.zero, .completed)])
    #expect(attempts.value == 3)
  }

  @Test func retriesLater() {
    let scheduler = TestScheduler()
    let observer = scheduler.coldObservable(events([5: 1], error: 8)).retry(3).test(scheduler)
    scheduler.run()
    #expect(observer.events == events([5: 1, 13: 1, 21: 1], error: 24))
  }

  // An attempt is disposed before the next one begins.
  @Test func eachAttemptIsDisposedBeforeTheNext() {
    let log = Locked<[String]>([])
    let source = Observable<Int>.create { observer in
      log.mutate { $0.append("begin") }
      observer.onError(TestError())
      return Disposables.create { log.mutate { $0.append("end") } }
    }
    _ = source.retry(3).subscribe { _ in }
    #expect(log.value == ["begin", "end", "begin", "end", "begin", "end"])
  }

  // The same holds for every stream that another one follows, if it ends later.
  @Test func eachStreamIsDisposedBeforeTheNext() {
    let operations: [@Sendable (Observable<Int>) -> Observable<Int>] = [
      { $0.retry(2) }, { source in source.catch { _ in source } }, { $0.catchAndReturn(0).concat($0) },
      { source in Observable.of(1, 2).concatMap { _ in source.catchAndReturn(0) } },
    ]
    for operation in operations {
      let (scheduler, log) = (TestScheduler(), Locked<[String]>([]))
      let source = Observable<Int>.create { observer in
        log.mutate { $0.append("begin") }
        scheduler.schedule { observer.onError(TestError()) }
        return Disposables.create { log.mutate { $0.append("end") } }
      }
      let observer = operation(source).test(scheduler)
      scheduler.run()
      #expect(log.value == ["begin", "end", "begin", "end"])
      observer.dispose()
    }
  }

  @Test func aDisposeStopsTheAttempts() {
    let (scheduler, subscribed) = (TestScheduler(), Locked(0))
    let source = scheduler.coldObservable(events([5: 1], error: 8)).do(onSubscribe: { subscribed.mutate { $0 += 1 } })
    let observer = source.retry(.max).test(scheduler)
    scheduler.advance(by: .milliseconds(20))
    observer.dispose()
    // This call does not return if the attempts continue.
    scheduler.run()
    #expect(subscribed.value == 3)
    let count = Locked(0)
    let endless = Observable.of(1).concat(Observable.error(TestError()))
    #expect(endless.retry(.max).do(onNext: { _ in count.mutate { $0 += 1 } }).take(5).test().isCompleted)
    #expect(count.value == 5)
  }

  // contract 1.6
  @Test(.stress) func aMillionAttempts() async {
    #if DEBUG
      let count = 50_000
    #else
      let count = 1_000_000
    #endif
    let attempts = await onThread(stackSize: smallStack) {
      let attempts = Locked(0)
      let source = Observable<Int>.deferred {
        attempts.mutate { $0 += 1 }
        throw TestError()
      }
      _ = source.retry(count).subscribe { _ in }
      return attempts.value
    }
    #expect(attempts == count)
  }

  // An attempt is disposed completely before the next one begins, with its subscriptions to a shared source, which then connects again.
  @Test(arguments: ["delay", "flatMapLatest", "merge"])
  func eachAttemptMakesANewConnection(operation: String) {
    let (scheduler, attempts) = (TestScheduler(), Locked(0))
    let shared = Observable<Int>.deferred {
      attempts.mutate { $0 += 1 }
      return .timer(.seconds(1), scheduler: scheduler)
    }.share(replay: 1)
    let failing = Observable.merge([shared, shared]).map { _ -> Int in throw TestError() }
    let source: Observable<Int> =
      switch operation {
      case "delay": failing.delay(.seconds(1), scheduler: scheduler)
      case "flatMapLatest": Observable.of(0).flatMapLatest { _ in failing }
      default: failing.merge(with: Observable.never())
      }
    let observer = source.retry(3).test(scheduler)
    scheduler.run()
    #expect(observer.events == [Recorded(.seconds(3), .error(TestError()))])
    #expect(attempts.value == 3)
  }
}
