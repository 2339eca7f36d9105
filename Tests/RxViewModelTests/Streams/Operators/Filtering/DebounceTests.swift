import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1: on completion the pending element is emitted first, then `completed`; an error drops it and passes at once
@Suite struct DebounceTests {
  private func debounced(_ source: [Recorded<Int>]) -> [Recorded<Int>] {
    outcome(of: source) { $0.debounce(.milliseconds(10), scheduler: $1) }
  }

  @Test func sendsAnElementThatNoOtherFollowsInTime() {
    #expect(debounced(events([0: 1, 5: 2, 14: 3, 40: 4], completed: 60)) == events([24: 3, 50: 4], completed: 60))
  }

  @Test func aCompletionSendsThePendingElement() {
    #expect(debounced(events([0: 1, 5: 2], completed: 8)) == events([8: 2], completed: 8))
    #expect(debounced(events([:], completed: 8)) == events([:], completed: 8))
  }

  @Test func anErrorDropsThePendingElement() {
    #expect(debounced(events([0: 1, 5: 2], error: 8)) == events([:], error: 8))
  }

  @Test func aDisposeDropsThePendingElementAndItsTimer() {
    let (scheduler, subject, lifetimes) = (TestScheduler(), PublishSubject<Lifetimes.Object>(), Lifetimes())
    let observer = subject.debounce(.milliseconds(10), scheduler: scheduler).test(scheduler)
    subject.onNext(lifetimes.make())
    observer.dispose()
    #expect(lifetimes.alive == 0)
    scheduler.run()
    #expect(observer.events.isEmpty)
  }

  // A dispose from inside the callback of the pending element cuts off the completion.
  @Test func aDisposeFromInsideThePendingElement() {
    let (subject, serial, recorder) = (PublishSubject<Int>(), SerialDisposable(), Recorder<Int>())
    serial.replace(
      with: subject.debounce(.seconds(1), scheduler: TestScheduler()).subscribe { event in
        recorder.on(event)
        serial.dispose()
      })
    subject.onNext(1)
    subject.onCompleted()
    #expect(recorder.elements == [1])
    #expect(recorder.end == nil)
  }
}
