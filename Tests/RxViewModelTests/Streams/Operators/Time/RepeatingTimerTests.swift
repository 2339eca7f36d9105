import Foundation
import RxViewModel
import Testing

@testable import TestSupport

@Suite struct RepeatingTimerTests {
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
    let subscription = numbers.take(count).subscribe(
      onNext: { number in
        #expect(times.value.count == number)
        times.mutate { $0.append(ContinuousClock.now - start) }
        let end = ContinuousClock.now + period * 10
        while number == 0, ContinuousClock.now < end {}
      }, onCompleted: { done.fire() })
    defer { subscription.dispose() }
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
