import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct TimeTests {
  @Test func intervalAndTimer() {
    let scheduler = TestScheduler()
    let ticks = Observable.interval(.milliseconds(10), scheduler: scheduler).take(3).test(scheduler)
    let once = Observable.timer(.milliseconds(15), scheduler: scheduler).test(scheduler)
    scheduler.run()
    #expect(ticks.events == events([10: 0, 20: 1, 30: 2], completed: 30))
    #expect(once.events == events([15: 0], completed: 15))
    let atOnce = Observable.timer(.zero, scheduler: scheduler).test()
    #expect(atOnce.events.isEmpty)
    scheduler.advance()
    #expect(atOnce.values == [0])
  }

  @Test func anIntervalStopsAtADisposeAlsoFromInside() {
    let (scheduler, serial, recorder) = (TestScheduler(), SerialDisposable(), Recorder<Int>())
    serial.replace(
      with: Observable.interval(.milliseconds(10), scheduler: scheduler).subscribe { event in
        recorder.on(event)
        if case .next(2) = event { serial.dispose() }
      })
    // This call does not return unless the interval stops.
    scheduler.run()
    #expect(recorder.elements == [0, 1, 2])
    #expect(scheduler.now == .milliseconds(30))
  }

  // The subscription continues although its disposable has been released.
  @Test func anIntervalOnAQueue() async {
    let (signal, numbers) = (Signal(), Locked<[Int]>([]))
    _ = Observable.interval(.milliseconds(1), scheduler: DispatchQueue(label: "interval")).take(5).subscribe(
      onNext: { number in numbers.mutate { $0.append(number) } }, onCompleted: { signal.fire() })
    #expect(await onThread { signal.wait() })
    #expect(numbers.value == [0, 1, 2, 3, 4])
  }

  // contract 1: `delay` delays elements and completion; an error passes at once and drops the waiting elements
  @Test func delay() {
    func delayed(_ source: [Recorded<Int>]) -> [Recorded<Int>] {
      outcome(of: source) { $0.delay(.milliseconds(10), scheduler: $1) }
    }
    #expect(delayed(events([0: 1, 5: 2], completed: 8)) == events([10: 1, 15: 2], completed: 18))
    #expect(delayed(events([0: 1, 5: 2], error: 12)) == events([10: 1], error: 12))
    #expect(delayed(events([5: 1, 5: 2], completed: 5)) == events([15: 1, 15: 2], completed: 15))
  }

  @Test func aDisposeReleasesTheDelayedElements() {
    let (scheduler, subject, lifetimes) = (TestScheduler(), PublishSubject<Lifetimes.Object>(), Lifetimes())
    let observer = subject.delay(.milliseconds(10), scheduler: scheduler).test(scheduler)
    subject.onNext(lifetimes.make())
    subject.onNext(lifetimes.make())
    #expect(lifetimes.alive == 2)
    observer.dispose()
    #expect(lifetimes.alive == 0)
  }

  @Test func delayKeepsTheOrderOnAConcurrentQueue() async {
    let queue = DispatchQueue(label: "delay", attributes: .concurrent)
    let (recorder, signal) = (Recorder<Int>(), Signal())
    let subscription = Observable.from(0..<2_000).delay(.milliseconds(1), scheduler: queue).subscribe { event in
      recorder.on(event)
      if case .completed = event { signal.fire() }
    }
    #expect(await onThread { signal.wait() })
    #expect(recorder.elements == Array(0..<2_000))
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  // contract 1: `timeout` errors with `RxError.timeout`
  @Test func timeout() {
    func timed(_ source: [Recorded<Int>]) -> [Recorded<Int>] {
      outcome(of: source) { $0.timeout(.milliseconds(10), scheduler: $1) }
    }
    #expect(timed(events([5: 1, 14: 2], completed: 20)) == events([5: 1, 14: 2], completed: 20))
    #expect(timed(events([5: 1, 16: 2])) == events([5: 1], timeout: 15))
    #expect(timed(events([11: 1])) == events([:], timeout: 10))
    #expect(timed(events([5: 1], error: 9)) == events([5: 1], error: 9))
    #expect(timed([]) == events([:], timeout: 10))
  }

  @Test func aTimeoutEndsTheSubscriptionToTheSource() {
    let (scheduler, subject) = (TestScheduler(), PublishSubject<Int>())
    let observer = subject.timeout(.milliseconds(10), scheduler: scheduler).test(scheduler)
    scheduler.advance(by: .milliseconds(10))
    #expect(observer.error as? RxError == .timeout)
    #expect(!subject.hasObservers)
  }

  // contract 1: `subscribe(on:)` moves subscription and disposal
  @Test func subscribeOn() {
    let (scheduler, log) = (TestScheduler(), Locked<[String]>([]))
    let source = Observable<Int>.create { observer in
      log.mutate { $0.append("subscribe") }
      observer.onNext(1)
      return Disposables.create { log.mutate { $0.append("dispose") } }
    }
    let observer = source.subscribe(on: scheduler).test()
    #expect(log.value == [])
    scheduler.advance()
    #expect(log.value == ["subscribe"])
    #expect(observer.values == [1])
    observer.dispose()
    #expect(log.value == ["subscribe"])
    scheduler.advance()
    #expect(log.value == ["subscribe", "dispose"])
  }

  @Test func subscribeOnDisposedBeforeItsTurnNeverReachesTheSource() {
    let (scheduler, subscribed) = (TestScheduler(), Locked(0))
    let source = Observable.just(1).do(onSubscribe: { subscribed.mutate { $0 += 1 } })
    let observer = source.subscribe(on: scheduler).test()
    observer.dispose()
    scheduler.run()
    #expect(subscribed.value == 0)
  }

  // contract 1.4: after `dispose()` the callback is not called, although the source is disposed later
  @Test func subscribeOnCutsOffAtOnce() {
    let (scheduler, subject, recorder) = (TestScheduler(), PublishSubject<Int>(), Recorder<Int>())
    let subscription = subject.subscribe(on: scheduler).subscribe(recorder)
    scheduler.advance()
    subject.onNext(1)
    subscription.dispose()
    subject.onNext(2)
    #expect(recorder.elements == [1])
    scheduler.advance()
    #expect(!subject.hasObservers)
  }
}
