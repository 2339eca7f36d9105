import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// `DifferentialTests` tests when these operators send what.
@Suite struct TimeTests {
  // contract 1.4: also if the producer never releases its observer
  @Test(arguments: ["debounce", "throttle", "delay", "observe(on:)"])
  func aDisposeReleasesTheElementsThatWait(operation: String) {
    let (scheduler, lifetimes, kept) = (TestScheduler(), Lifetimes(), Locked<AnyObserver<Lifetimes.Object>?>(nil))
    let source = Observable<Lifetimes.Object>.create { observer in
      kept.mutate { $0 = observer }
      return Disposables.create()
    }
    let stream =
      switch operation {
      case "debounce": source.debounce(.seconds(1), scheduler: scheduler)
      case "throttle": source.throttle(.seconds(1), scheduler: scheduler)
      case "delay": source.delay(.seconds(1), scheduler: scheduler)
      default: source.observe(on: scheduler)
      }
    let received = Locked(0)
    let subscription = stream.subscribe { _ in received.increment() }
    for _ in 0..<2 { kept.value!.onNext(lifetimes.make()) }
    let count = received.value
    #expect(lifetimes.alive > 0)
    subscription.dispose()
    #expect(lifetimes.alive == 0)
    scheduler.run()
    #expect(received.value == count)
  }

  // contract 1: `throttle`
  @Test func anElementAtTheVeryEndOfAWindowBelongsToIt() {
    func throttled(_ source: [Recorded<Int>], latest: Bool) -> [Recorded<Int>] {
      outcome(of: source) { $0.throttle(.milliseconds(10), latest: latest, scheduler: $1) }
    }
    #expect(
      throttled(events([0: 1, 4: 2, 10: 3, 12: 4], completed: 40), latest: true)
        == events([0: 1, 10: 3, 20: 4], completed: 40))
    #expect(
      throttled(events([0: 1, 10: 2, 11: 3], completed: 40), latest: false) == events([0: 1, 11: 3], completed: 40))
    // The same if the window's timer was set before the element was scheduled.
    let scheduler = TestScheduler()
    let ticks = Observable.interval(.milliseconds(5), scheduler: scheduler).take(7)
    let observer = ticks.throttle(.milliseconds(10), scheduler: scheduler).test(scheduler)
    scheduler.run()
    #expect(observer.events == events([5: 0, 15: 2, 25: 4, 35: 6], completed: 35))
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
      onNext: { number in numbers.append(number) }, onCompleted: { signal.fire() })
    #expect(await onThread { signal.wait() })
    #expect(numbers.value == [0, 1, 2, 3, 4])
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

  // contract 1: `subscribe(on:)` moves subscription and disposal
  @Test func subscribeOn() {
    let (scheduler, log) = (TestScheduler(), Locked<[String]>([]))
    let source = Observable<Int>.create { observer in
      log.append("subscribe")
      observer.onNext(1)
      return Disposables.create { log.append("dispose") }
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
    let source = Observable.just(1).do(onSubscribe: { subscribed.increment() })
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
