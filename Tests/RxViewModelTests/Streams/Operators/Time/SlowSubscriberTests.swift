import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1: `timeout` and `throttle` restart their clocks after they have passed the element on. A slow subscriber advances the virtual
// time inside its callback.
@Suite struct SlowSubscriberTests {
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
    #expect(recorder.elements == [1, 2])
    #expect(recorder.end == "error")
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
    #expect(recorder.elements == [1, 2])
    #expect(recorder.end == nil)
    clock.advance(by: .milliseconds(200))
    #expect(recorder.end == "error")
    subscription.dispose()
  }

  @Test func aWindowOfThrottleOpensWhenTheElementHasBeenPassedOn() {
    let (clock, subject) = (TestScheduler(), PublishSubject<Int>())
    let recorder = slowRecorder(at: 1, clock)
    let subscription = subject.throttle(.milliseconds(200), scheduler: clock).subscribe(recorder)
    subject.onNext(1)
    subject.onNext(2)
    clock.advance(by: .milliseconds(199))
    subject.onNext(3)
    #expect(recorder.elements == [1])
    clock.advance(by: .milliseconds(1))
    #expect(recorder.elements == [1, 3])
    subscription.dispose()
  }

  // The same for the trailing element of a window.
  @Test func theNextWindowOfThrottleOpensWhenItsElementHasBeenPassedOn() {
    let (clock, subject) = (TestScheduler(), PublishSubject<Int>())
    let recorder = slowRecorder(at: 2, clock)
    let subscription = subject.throttle(.milliseconds(200), scheduler: clock).subscribe(recorder)
    subject.onNext(1)
    subject.onNext(2)
    clock.advance(by: .milliseconds(200))
    #expect(recorder.elements == [1, 2])
    subject.onNext(3)
    #expect(recorder.elements == [1, 2])
    clock.advance(by: .milliseconds(200))
    #expect(recorder.elements == [1, 2, 3])
    subscription.dispose()
  }

  // contract 1.4
  @Test(arguments: ["timeout", "throttle", "debounce"])
  func aDisposeInsideTheCallbackLeavesNoTimer(operation: String) {
    let (clock, subject, serial) = (TimerCount(), PublishSubject<Int>(), SerialDisposable())
    let stream =
      switch operation {
      case "timeout": subject.timeout(.milliseconds(200), scheduler: clock)
      case "throttle": subject.throttle(.milliseconds(200), scheduler: clock)
      default: subject.debounce(.milliseconds(200), scheduler: clock)
      }
    let seen = Locked(0)
    serial.replace(
      with: stream.subscribe { _ in
        seen.mutate { $0 += 1 }
        serial.dispose()
        #expect(clock.timers.value == 0)
      })
    subject.onNext(1)
    clock.scheduler.advance(by: .milliseconds(200))
    #expect(seen.value == 1)
    #expect(clock.timers.value == 0)
  }
}

/// Counts the timers that have neither run nor been disposed.
private final class TimerCount: Scheduler {
  let scheduler = TestScheduler()
  let timers = Locked(0)

  func schedule(_ work: @escaping @Sendable () -> Void) {
    scheduler.schedule(work)
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    timers.mutate { $0 += 1 }
    let over = Disposables.create { [timers] in timers.mutate { $0 -= 1 } }
    let timer = scheduler.schedule(after: delay) {
      over.dispose()
      work()
    }
    return Disposables.create(timer, over)
  }
}
