import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// contract 1, `observe(on:)`: each event is a piece of work of its own.
@Suite struct ObserveOnTests {
  @Test func eventsAndOtherWorkComeInTheOrderOfScheduling() async {
    let (queue, seen) = (DispatchQueue(label: "events"), Locked<[String]>([]))
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let bag = DisposeBag()
    a.observe(on: queue).subscribe(onNext: { number in seen.append("a\(number)") }).disposed(by: bag)
    b.observe(on: queue).subscribe(onNext: { number in seen.append("b\(number)") }).disposed(by: bag)
    queue.suspend()
    a.onNext(1)
    b.onNext(2)
    a.onNext(3)
    queue.async { seen.append("async 4") }
    a.onNext(5)
    queue.resume()
    await onThread { queue.sync {} }
    #expect(seen.value == ["a1", "b2", "a3", "async 4", "a5"])
    bag.dispose()
  }

  @Test func workThatACallbackSchedulesComesBeforeElementsThatItSendsAfterwards() {
    let (scheduler, subject, seen) = (TestScheduler(), PublishSubject<Int>(), Locked<[String]>([]))
    let subscription = subject.observe(on: scheduler).subscribe(onNext: { number in
      seen.append("\(number)")
      guard number == 1 else { return }
      scheduler.schedule { seen.append("work") }
      subject.onNext(2)
    })
    subject.onNext(1)
    scheduler.run()
    #expect(seen.value == ["1", "work", "2"])
    subscription.dispose()
  }

  @Test func aConcurrentSchedulerDeliversInOrderAndOneAtATime() async {
    let (subject, done) = (PublishSubject<Int>(), Signal())
    let recorder = Recorder<Int> { event in if case .completed = event { done.fire() } }
    let subscription = subject.observe(on: DispatchQueue.global()).subscribe(recorder)
    await onThread {
      for number in 0..<20_000 { subject.onNext(number) }
      subject.onCompleted()
    }
    #expect(await onThread { done.wait() })
    #expect(recorder.elements == Array(0..<20_000))
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  // contract 1, observe(on:)
  @Test func observeOnDropsTheQueuedElementsAtADispose() {
    let (scheduler, subject) = (TestScheduler(), PublishSubject<Int>())
    let (seen, serial) = (Locked<[Int]>([]), SerialDisposable())
    serial.replace(
      with: subject.observe(on: scheduler).subscribe(onNext: { number in
        seen.append(number)
        if number == 2 { serial.dispose() }
      }))
    (1...3).forEach(subject.onNext)
    scheduler.run()
    #expect(seen.value == [1, 2])
    #expect(!subject.hasObservers)
  }
}
