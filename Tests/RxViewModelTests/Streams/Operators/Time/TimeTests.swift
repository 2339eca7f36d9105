import Dispatch
import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// `DifferentialTests` tests when these operators send what.
struct TimeTests {
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

  @Test func delayKeepsTheOrderOnAConcurrentQueue() async {
    let queue = DispatchQueue(label: "delay", attributes: .concurrent)
    let (recorder, signal) = (Recorder<Int>(), Signal())
    let subscription = Observable.from(0..<2_000).delay(.milliseconds(1), scheduler: queue).subscribe { event in
      recorder.on(event)
      if case .completed = event { signal.fire() }
    }
    #expect(await onThread { signal.wait() })
    #expect(recorder.elements == Array(0..<2_000) && recorder.faults == [])
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

  @Test func subscribeOnDisposedBeforeItsTurnReleasesTheSourceAndNeverReachesIt() {
    let (scheduler, subscribed, lifetimes) = (TestScheduler(), Locked(0), Lifetimes())
    let observer = { (object: Lifetimes.Object) in
      Observable.just(1).map { object.passing($0) }.do(onSubscribe: { subscribed.increment() })
        .subscribe(on: scheduler).test()
    }(lifetimes.make())
    #expect(lifetimes.alive == 1)
    observer.dispose()
    #expect(lifetimes.alive == 0)
    scheduler.run()
    #expect(subscribed.value == 0)
  }
}

struct RepeatingTimerTests {
  // Each number comes at its time, however long the earlier callbacks take. None comes early, and none is left out.
  @Test(arguments: [true, false])
  func latenessDoesNotAddUp(isInterval: Bool) async {
    let period = Duration.milliseconds(10)
    let spans = await onThread {
      var spans: [Duration] = []
      // The callback of the first number takes ten periods, so the next numbers are late and come at once. If each period began at the
      // previous number, they would take eight periods more. A busy machine may delay them too, but not in each attempt.
      while spans.count < 100, spans.last.map({ $0 >= period * 4 }) ?? true {
        guard let times = Self.times(of: 12, every: period, isInterval) else { return spans }
        for (number, time) in times.enumerated() { #expect(time >= period * (isInterval ? number + 1 : number)) }
        spans.append(times[9] - times[1])
      }
      return spans
    }
    #expect(spans.last.map { $0 < period * 4 } ?? false, "\(spans)")
  }

  /// The times at which the first numbers come on a queue. The callback of the first one takes ten periods. Nil if they do not come.
  private static func times(of count: Int, every period: Duration, _ isInterval: Bool) -> [Duration]? {
    let (queue, done, times) = (DispatchQueue(label: "timer"), Signal(), Locked<[Duration]>([]))
    let start = ContinuousClock.now
    let numbers =
      isInterval
      ? Observable.interval(period, scheduler: queue) : .timer(after: .zero, every: period, scheduler: queue)
    // The subscription continues although its disposable is released.
    _ = numbers.take(count).subscribe(
      onNext: { number in
        #expect(times.value.count == number)
        times.mutate { $0.append(ContinuousClock.now - start) }
        let end = ContinuousClock.now + period * 10
        while number == 0, ContinuousClock.now < end {}
      }, onCompleted: { done.fire() })
    return done.wait() ? times.value : nil
  }

  // While the callback of the first number has not returned, the timer schedules one number more, on a concurrent scheduler too.
  @Test(arguments: [true, false])
  func numbersDoNotPileUpBehindASlowSubscriber(isInterval: Bool) async {
    let (scheduler, isInside, goesOn, recorder) = (StepScheduler(), Signal(), Signal(), Recorder<Int>())
    let numbers =
      isInterval
      ? Observable.interval(.seconds(1), scheduler: scheduler)
      : .timer(after: .zero, every: .seconds(1), scheduler: scheduler)
    let subscription = numbers.subscribe { event in
      recorder.on(event)
      guard case .next(0) = event else { return }
      isInside.fire()
      #expect(goesOn.wait())
    }
    await onThread {
      let hasReturned = Signal()
      Thread {
        scheduler.runNext()
        hasReturned.fire()
      }.start()
      #expect(isInside.wait())
      var count = 0
      while !scheduler.isEmpty, count < 100 {
        scheduler.runNext()
        count += 1
      }
      #expect(count <= 1)
      goesOn.fire()
      #expect(hasReturned.wait())
      // The number that waited has followed at once.
      #expect(recorder.elements == [0, 1])
      scheduler.runNext()
      #expect(recorder.elements == [0, 1, 2])
    }
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  // contract 1.6: the timer is late, on a scheduler that runs due work at once
  @Test func aLateTimerOnAnImmediateScheduler() async {
    let done = Signal()
    let subscription = Observable.timer(after: .zero, every: .nanoseconds(1), scheduler: ImmediateScheduler())
      .take(2_000).subscribe(onCompleted: { done.fire() })
    #expect(await onThread { done.wait() })
    subscription.dispose()
  }
}
