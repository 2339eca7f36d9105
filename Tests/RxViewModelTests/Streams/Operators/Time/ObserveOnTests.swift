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
    a.observe(on: queue).subscribe(onNext: { number in seen.mutate { $0.append("a\(number)") } }).disposed(by: bag)
    b.observe(on: queue).subscribe(onNext: { number in seen.mutate { $0.append("b\(number)") } }).disposed(by: bag)
    queue.suspend()
    a.onNext(1)
    b.onNext(2)
    a.onNext(3)
    queue.async { seen.mutate { $0.append("async 4") } }
    a.onNext(5)
    queue.resume()
    await onThread { queue.sync {} }
    #expect(seen.value == ["a1", "b2", "a3", "async 4", "a5"])
    bag.dispose()
  }

  @Test func workThatACallbackSchedulesComesBeforeElementsThatItSendsAfterwards() {
    let (scheduler, subject, seen) = (TestScheduler(), PublishSubject<Int>(), Locked<[String]>([]))
    let subscription = subject.observe(on: scheduler).subscribe(onNext: { number in
      seen.mutate { $0.append("\(number)") }
      guard number == 1 else { return }
      scheduler.schedule { seen.mutate { $0.append("work") } }
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

  // contract 1.4: also if the producer never releases its observer
  @Test func waitingElementsAreReleasedAtADispose() {
    let (scheduler, lifetimes, observer) = (TestScheduler(), Lifetimes(), Locked<AnyObserver<Lifetimes.Object>?>(nil))
    let source = Observable<Lifetimes.Object>.create { sent in
      observer.mutate { $0 = sent }
      return Disposables.create()
    }
    let subscription = source.observe(on: scheduler).subscribe { _ in }
    for _ in 0..<3 { observer.value!.onNext(lifetimes.make()) }
    #expect(lifetimes.alive == 3)
    subscription.dispose()
    #expect(lifetimes.alive == 0)
    scheduler.run()
  }

  @Test(.stress) func aChainOnAnImmediateSchedulerDoesNotGrowTheStack() async {
    let (subject, last) = (PublishSubject<Int>(), Locked(0))
    let subscription = subject.observe(on: ImmediateScheduler()).subscribe(onNext: { number in
      last.mutate { $0 = number }
      if number < 100_000 { subject.onNext(number + 1) }
    })
    await onThread(stackSize: smallStack) { subject.onNext(0) }
    #expect(last.value == 100_000)
    subscription.dispose()
  }

  // contract 1, observe(on:)
  @Test func observeOnDeliversEverythingOnTheSchedulerInOrder() {
    let (scheduler, subject) = (TestScheduler(), PublishSubject<Int>())
    let observer = subject.observe(on: scheduler).test()
    (1...3).forEach(subject.onNext)
    subject.onCompleted()
    #expect(observer.events == [])
    scheduler.run()
    #expect(observer.values == [1, 2, 3])
    #expect(observer.isCompleted)
  }

  // contract 1, observe(on:)
  @Test func observeOnDropsTheQueuedElementsAtADispose() {
    let (scheduler, subject) = (TestScheduler(), PublishSubject<Int>())
    let (seen, serial) = (Locked<[Int]>([]), SerialDisposable())
    serial.replace(
      with: subject.observe(on: scheduler).subscribe(onNext: { number in
        seen.mutate { $0.append(number) }
        if number == 2 { serial.dispose() }
      }))
    (1...3).forEach(subject.onNext)
    scheduler.run()
    #expect(seen.value == [1, 2])
    #expect(!subject.hasObservers)
  }

  // contract 1.2: one at a time, in order, also on a concurrent scheduler
  @Test func observeOnIsSerialOnAConcurrentQueue() async {
    let done = Signal()
    let seen = Locked<[Int]>([])
    let subscription = Observable.from(0..<20_000).observe(on: DispatchQueue.global()).subscribe(
      onNext: { number in seen.mutate { $0.append(number) } }, onCompleted: { done.fire() })
    #expect(await onThread { done.wait() })
    #expect(seen.value == Array(0..<20_000))
    subscription.dispose()
  }
}
