import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// contract 1, `observe(on:)`: each event is a piece of work of its own.
struct ObserveOnTests {
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
    #expect(recorder.elements == Array(0..<20_000) && recorder.faults == [])
    subscription.dispose()
  }

  // contract 1.4: nothing is called after `dispose` has returned on the executor that delivers
  @Test func nothingIsCalledAfterDisposeOnTheDeliveringQueue() async {
    let queue = DispatchQueue(label: "delivery")
    let late = Locked(0)
    await onThread {
      for _ in 0..<500 {
        let (isDisposed, subject) = (Locked(false), PublishSubject<Int>())
        let subscription = subject.observe(on: queue).subscribe(onNext: { _ in
          if isDisposed.value { late.increment() }
        })
        (0..<20).forEach(subject.onNext)
        queue.sync {
          subscription.dispose()
          isDisposed.mutate { $0 = true }
        }
        queue.sync {}
      }
    }
    #expect(late.value == 0)
  }
}

/// Events that an operator delivers on its scheduler come there whatever other threads do meanwhile.
struct SchedulerOfEventsTests {
  private static let key = DispatchSpecificKey<Bool>()
  private let queue = DispatchQueue(label: "place")

  init() {
    queue.setSpecific(key: Self.key, value: true)
  }

  private static var isOnQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

  @Test func delay() async {
    let (subject, elsewhere, done) = (PublishSubject<Int>(), Locked(0), Signal())
    let subscription = subject.delay(.nanoseconds(1), scheduler: queue).subscribe(
      onNext: { _ in if !Self.isOnQueue { elsewhere.increment() } }, onCompleted: { done.fire() })
    await onThread {
      for number in 0..<20_000 { subject.onNext(number) }
      subject.onCompleted()
    }
    #expect(await onThread { done.wait() })
    #expect(elsewhere.value == 0)
    subscription.dispose()
  }

  /// The ways in which a subscriber can end a stream from inside its callback.
  enum End: CaseIterable { case take, disposeInside }

  @Test(arguments: End.allCases)
  func subscribeOnDisposesThere(end: End) async {
    let (subject, places, subscribed, done) = (PublishSubject<Int>(), Locked<[Bool]>([]), Signal(), Signal())
    let source = Observable<Int>.create { observer in
      let subscription = subject.subscribe(observer)
      subscribed.fire()
      return Disposables.create {
        places.mutate { $0.append(Self.isOnQueue) }
        subscription.dispose()
        done.fire()
      }
    }.subscribe(on: queue)
    let subscription = SerialDisposable()
    switch end {
    case .take: subscription.replace(with: source.take(1).subscribe { _ in })
    case .disposeInside: subscription.replace(with: source.subscribe { _ in subscription.dispose() })
    }
    let hasEnded = await onThread { [queue] in
      guard subscribed.wait() else { return false }
      queue.sync {}
      subject.onNext(1)
      subject.onNext(2)
      return done.wait()
    }
    #expect(hasEnded && places.value == [true])
  }
}
