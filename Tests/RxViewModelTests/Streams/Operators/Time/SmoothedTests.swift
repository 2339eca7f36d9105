import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct SmoothedTests {
  /// The result for a cold source, which must equal that for a hot one.
  private func smoothed(_ source: [Recorded<Bool>], delay: Int = 200, minimum: Int = 500) -> [Recorded<Bool>] {
    let all = [
      outcome(of: source) { source, scheduler in
        source.smoothed(delay: .milliseconds(delay), minimum: .milliseconds(minimum), scheduler: scheduler)
      }, hot(source, delay: delay, minimum: minimum),
    ]
    #expect(all[0] == all[1])
    return all[0]
  }

  /// The result for a hot source. Each event is scheduled after the previous one has been sent, so after the deadline that this has set.
  private func hot(_ source: [Recorded<Bool>], delay: Int, minimum: Int) -> [Recorded<Bool>] {
    let (scheduler, subject) = (TestScheduler(), PublishSubject<Bool>())
    let result = subject.smoothed(delay: .milliseconds(delay), minimum: .milliseconds(minimum), scheduler: scheduler)
      .test(scheduler)
    for event in source {
      scheduler.advance(by: max(.zero, event.time - scheduler.now - .nanoseconds(1)))
      _ = scheduler.schedule(after: event.time - scheduler.now) { subject.on(event.event) }
    }
    scheduler.run()
    return result.events
  }

  @Test(arguments: [
    // A short true is not shown.
    (events([0: false, 100: true, 250: false]), events([0: false])),
    // A shown true stays for the minimum, or for as long as the source is true.
    (events([0: false, 100: true, 400: false]), events([0: false, 300: true, 800: false])),
    (events([0: false, 100: true, 1_000: false]), events([0: false, 300: true, 1_000: false])),
    // A source that is true again during the minimum continues without a gap.
    (
      events([0: false, 100: true, 400: false, 600: true, 900: false]), events([0: false, 300: true, 900: false])
    ),
    // A value at the instant of a deadline belongs to the time before it.
    (events([0: false, 100: true, 300: false]), events([0: false])),
    (
      events([0: false, 100: true, 400: false, 800: true, 1_200: false]), events([0: false, 300: true, 1_200: false])
    ),
    (events([0: false, 100: true, 800: false]), events([0: false, 300: true, 800: false])),
    // A completion ends the stream at once.
    (
      events([0: false, 100: true], completed: 350), events([0: false, 300: true, 350: false], completed: 350)
    ),
    (
      events([0: false, 100: true], completed: 900), events([0: false, 300: true, 900: false], completed: 900)
    ),
    (events([0: false, 100: true], completed: 150), events([0: false], completed: 150)),
    (events([:], completed: 150), events([:], completed: 150)),
    // False comes first, whatever the first value is.
    (events([0: true]), events([0: false, 200: true])),
    // The delay starts again.
    (events([0: false, 100: true, 200: false, 250: true]), events([0: false, 450: true])),
    // Equal values change nothing.
    (
      events([0: false, 50: false, 100: true, 200: true, 350: true, 400: false, 500: false]),
      events([0: false, 300: true, 800: false])
    ),
    // An error passes at once.
    (events([0: false, 100: true], error: 350), events([0: false, 300: true], error: 350)),
    (events([0: false, 100: true], error: 150), events([0: false], error: 150)),
    // True is shown again after a pause.
    (
      events([0: false, 100: true, 400: false, 900: true, 1_200: false]),
      events([0: false, 300: true, 800: false, 1_100: true, 1_600: false])
    ),
  ])
  func aShortTrueIsIgnoredAndALongOneStaysForTheMinimum(source: [Recorded<Bool>], expected: [Recorded<Bool>]) {
    #expect(smoothed(source) == expected)
  }

  @Test func withoutADelayItIsTrueAtOnce() {
    #expect(
      smoothed(events([0: false, 100: true, 200: false]), delay: 0) == events([0: false, 100: true, 600: false]))
    #expect(smoothed(events([0: true]), delay: 0) == events([0: false, 0: true]))
  }

  @Test func withoutAMinimumItEndsWithTheSource() {
    #expect(
      smoothed(events([0: false, 100: true, 310: false]), minimum: 0) == events([0: false, 300: true, 310: false]))
  }

  // contract 1.4: a timer that is disposed while it waits retains nothing
  @Test(arguments: [150, 350])
  func aDisposedTimerRetainsNothing(instant: Int) {
    let (scheduler, subject, lifetimes) = (TestScheduler(), PublishSubject<Bool>(), Lifetimes())
    let subscription = { (object: Lifetimes.Object) in
      subject.smoothed(scheduler: scheduler).subscribe(onNext: { _ in object.touch() })
    }(lifetimes.make())
    subject.onNext(false)
    scheduler.advance(by: .milliseconds(100))
    subject.onNext(true)
    scheduler.advance(by: .milliseconds(instant - 100))
    #expect((lifetimes.alive, scheduler.pendingCount) == (1, 1))
    subscription.dispose()
    #expect((lifetimes.alive, scheduler.pendingCount) == (0, 0))
  }

  // The operator schedules one piece of work at a time, and none for a value that changes nothing.
  @Test func onePieceOfWorkAtATime() {
    let (scheduler, subject) = (TestScheduler(), PublishSubject<Bool>())
    let result = subject.smoothed(scheduler: scheduler).test(scheduler)
    for round in 0..<100 {
      subject.onNext(round % 2 == 1)
      #expect(scheduler.pendingCount == round % 2)
    }
    for _ in 0..<100 { subject.onNext(true) }
    #expect(scheduler.pendingCount == 1)
    scheduler.run()
    #expect(result.values == [false, true])
  }

  // contract 2.7: there is no gap between two actions of a lane, and short ones are never shown
  @Test func twoShortActionsOfALaneAreNeverShown() {
    let scheduler = TestScheduler()
    let screen = Screen(scheduler: scheduler)
    let isShown = screen.isLoadingObservable.smoothed(scheduler: scheduler).test(scheduler)
    for name in ["a", "b"] {
      let work = Observable.timer(.milliseconds(50), scheduler: scheduler)
      screen.execute(Step(name, spins: true, on: work), mode: .sequence)
    }
    scheduler.run()
    #expect(isShown.values == [false])
    #expect(screen.currentState == ["a", "b"])
  }
}
