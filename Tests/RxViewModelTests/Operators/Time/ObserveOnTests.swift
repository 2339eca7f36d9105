import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

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

  @Test func whatACallbackSchedulesComesBeforeWhatItSendsThen() {
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

  // contract 1.4: also what a producer holds that never forgets an observer
  @Test func whatWaitsIsDroppedAtADispose() {
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
}
