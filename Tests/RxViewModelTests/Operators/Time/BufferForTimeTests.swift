import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct BufferForTimeTests {
  @Test func anArrayForEachSpanOfTime() {
    let source = events([5: 1, 8: 2, 25: 3], completed: 34)
    #expect(
      outcome(of: source) { source, scheduler in source.buffer(for: .milliseconds(10), scheduler: scheduler) }
        == events([10: [1, 2], 20: [], 30: [3], 34: []], completed: 34))
  }

  @Test func aFullArrayStartsTheClockAgain() {
    let source = events([5: 1, 8: 2, 12: 3, 20: 4, 21: 5, 22: 6], completed: 23)
    #expect(
      outcome(of: source) { source, scheduler in source.buffer(for: .milliseconds(10), count: 2, scheduler: scheduler) }
        == events([8: [1, 2], 18: [3], 21: [4, 5], 23: [6]], completed: 23))
  }

  @Test func anErrorDropsTheArray() {
    let source = events([5: 1], error: 8)
    #expect(
      outcome(of: source) { source, scheduler in source.buffer(for: .milliseconds(10), scheduler: scheduler) }
        == events([:], error: 8))
  }

  // contract 1.4
  @Test func aDisposeStopsTheClock() {
    let (scheduler, subject, serial, recorder) = (
      TestScheduler(), PublishSubject<Int>(), SerialDisposable(), Recorder<Int>()
    )
    serial.replace(
      with: subject.buffer(for: .seconds(1), count: 2, scheduler: scheduler).map(\.count).subscribe { event in
        recorder.on(event)
        if case .next(2) = event { serial.dispose() }
      })
    scheduler.advance(by: .seconds(1))
    subject.onNext(1)
    subject.onNext(2)
    #expect(recorder.elements == [0, 2])
    #expect(scheduler.pendingCount == 0)
    #expect(!subject.hasObservers)
  }

  // contract 1.2: an element that the callback of a full array sends goes into the next array
  @Test func sendingFromInside() {
    let (scheduler, subject) = (TestScheduler(), PublishSubject<Int>())
    let recorder = Recorder<Int> { event in
      if case .next(let count) = event, count == 2 { subject.onNext(0) }
    }
    let subscription = subject.buffer(for: .seconds(1), count: 2, scheduler: scheduler).map(\.count).subscribe(recorder)
    subject.onNext(1)
    subject.onNext(2)
    scheduler.advance(by: .seconds(1))
    #expect(recorder.elements == [2, 1])
    #expect(recorder.faults == [])
    subscription.dispose()
  }
}
