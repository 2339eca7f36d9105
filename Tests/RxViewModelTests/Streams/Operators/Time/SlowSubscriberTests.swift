import Foundation
import RxViewModelTesting
import Testing

@testable import RxViewModel
@testable import TestSupport

// contract 1: `timeout` and `throttle` restart their clocks after they have passed the element on. A slow subscriber advances the virtual
// time inside its callback.
struct SlowSubscriberTests {
  /// A subscriber that takes half a second for the element `slow`.
  private func slowRecorder(at slow: Int, _ clock: TestScheduler) -> Recorder<Int> {
    Recorder { event in
      if case .next(slow) = event { clock.advance(by: .milliseconds(500)) }
    }
  }

  @Test func aTimeoutDoesNotMistakeASlowSubscriberForASlowSource() {
    let (clock, subject) = (TestScheduler(), PublishSubject<Int>())
    let recorder = slowRecorder(at: 1, clock)
    let subscription = subject.timeout(.milliseconds(200), scheduler: clock).subscribe(recorder)
    clock.advance(by: .milliseconds(20))
    subject.onNext(1)
    clock.advance(by: .milliseconds(199))
    #expect(recorder.end == nil)
    subject.onNext(2)
    clock.advance(by: .milliseconds(200))
    #expect(recorder.elements == [1, 2] && recorder.end == "error")
    subscription.dispose()
  }

  @Test(arguments: [true, false])
  func aTimeoutDoesNotOvertakeAnElementThatWaitsForTheSubscriber(isSentFirst: Bool) {
    let (clock, subject, recorder) = (TestScheduler(), PublishSubject<Int>(), Recorder<Int>())
    let subscription = subject.timeout(.milliseconds(200), scheduler: clock).subscribe { event in
      recorder.on(event)
      guard case .next(1) = event else { return }
      if isSentFirst { subject.onNext(2) }
      clock.advance(by: .milliseconds(500))
      if !isSentFirst { subject.onNext(2) }
    }
    subject.onNext(1)
    #expect(recorder.elements == [1, 2] && recorder.end == nil)
    clock.advance(by: .milliseconds(200))
    #expect(recorder.end == "error")
    subscription.dispose()
  }

  // The subscriber is slow at the first element of a window, or at the last.
  @Test(arguments: [1, 2])
  func aWindowOfThrottleOpensWhenTheElementHasBeenPassedOn(slow: Int) {
    let (clock, subject) = (TestScheduler(), PublishSubject<Int>())
    let recorder = slowRecorder(at: slow, clock)
    let subscription = subject.throttle(.milliseconds(200), scheduler: clock).subscribe(recorder)
    subject.onNext(1)
    if slow == 2 {
      subject.onNext(2)
      clock.advance(by: .milliseconds(200))
    }
    subject.onNext(3)
    clock.advance(by: .milliseconds(199))
    #expect(recorder.elements == Array(1...slow))
    clock.advance(by: .milliseconds(1))
    #expect(recorder.elements == Array(1...slow) + [3])
    subscription.dispose()
  }

  // contract 1.4
  @Test(arguments: ["timeout", "throttle", "debounce"])
  func aDisposeInsideTheCallbackLeavesNoTimer(operation: String) {
    let (clock, subject, serial) = (TestScheduler(), PublishSubject<Int>(), SerialDisposable())
    let stream =
      switch operation {
      case "timeout": subject.timeout(.milliseconds(200), scheduler: clock)
      case "throttle": subject.throttle(.milliseconds(200), scheduler: clock)
      default: subject.debounce(.milliseconds(200), scheduler: clock)
      }
    let seen = Locked(0)
    serial.replace(
      with: stream.subscribe { (_: Event<Int>) in
        seen.increment()
        serial.dispose()
        #expect(clock.pendingCount == 0)
      })
    subject.onNext(1)
    clock.advance(by: .milliseconds(200))
    #expect(seen.value == 1 && clock.pendingCount == 0)
  }
}

/// Emits each element, except that zero starts the timer. Emits -1, -2 and so on when the time is over.
private struct CountingState: TimedState {
  var ends = 0

  mutating func receive(_ event: Event<Int>) -> TimedStep<Int> {
    if case .next(0) = event { TimedStep(timer: .start(.seconds(1))) } else { TimedStep(event) }
  }

  mutating func timeHasPassed() -> TimedStep<Int> {
    ends += 1
    return TimedStep(.next(-ends))
  }
}

struct TimedDriverTests {
  private let scheduler = TestScheduler()
  private let source = PublishSubject<Int>()
  private var stream: Observable<Int> { .timed(source.asObservable(), CountingState(), on: scheduler) }

  // contract 1.4: the callback of the timer's event replaces the subscription.
  @Test func aSubscriptionMayBeReplacedInsideTheTimersCallback() {
    let (subscription, seen) = (SerialDisposable(), Locked<[Int]>([]))
    let stream = stream
    subscription.replace(
      with: stream.subscribe(onNext: { _ in
        subscription.replace(with: stream.subscribe(onNext: { number in seen.mutate { $0.append(number) } }))
      }))
    source.onNext(0)
    scheduler.run()
    source.onNext(0)
    scheduler.run()
    #expect(seen.value == [-1])
    subscription.dispose()
    #expect(!source.hasObservers)
  }

  // A thread that is delivering handles the end of the time, too. It leaves the event to the scheduler.
  @Test func theEventOfTheTimerComesOnTheScheduler() async {
    let (entered, goesOn, threads) = (Signal(), Signal(), Locked<[ThreadID]>([]))
    let subscription = stream.subscribe(onNext: { number in
      threads.mutate { $0.append(.current) }
      guard number == 1 else { return }
      entered.fire()
      #expect(goesOn.wait())
    })
    source.onNext(0)
    await onThread { [source, scheduler] in
      let (sender, hasSent) = (Locked<ThreadID?>(nil), Signal())
      Thread {
        sender.mutate { $0 = .current }
        source.onNext(1)
        hasSent.fire()
      }.start()
      #expect(entered.wait())
      scheduler.run()
      goesOn.fire()
      #expect(hasSent.wait())
      scheduler.run()
      #expect(threads.value == [sender.value!, .current])
    }
    subscription.dispose()
  }

  // The scheduled work retains the operator.
  @Test func theEventArrivesEvenIfOnlyTheSchedulerRetainsTheOperator() {
    let seen = Locked<[Int]>([])
    do {
      let source = PublishSubject<Int>()
      _ = Observable<Int>.timed(source.asObservable(), CountingState(), on: scheduler)
        .subscribe(onNext: { number in seen.mutate { $0.append(number) } })
      source.onNext(0)
    }
    scheduler.run()
    #expect(seen.value == [-1])
  }
}
