import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Events that an operator delivers on its scheduler come there whatever other threads do meanwhile.
@Suite struct SchedulerOfEventsTests {
  private static let key = DispatchSpecificKey<Bool>()
  private let queue = DispatchQueue(label: "place")

  init() {
    queue.setSpecific(key: Self.key, value: true)
  }

  private static var isOnQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

  @Test func delay() async {
    let (subject, elsewhere, done) = (PublishSubject<Int>(), Locked(0), Signal())
    let subscription = subject.delay(.nanoseconds(1), scheduler: queue).subscribe(
      onNext: { _ in if !Self.isOnQueue { elsewhere.mutate { $0 += 1 } } }, onCompleted: { done.fire() })
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
    #expect(hasEnded)
    #expect(places.value == [true])
  }

  @Test func subscribeOnReleasesTheSourceAtADispose() {
    let (scheduler, lifetimes) = (TestScheduler(), Lifetimes())
    let subscription: any Disposable
    do {
      let object = lifetimes.make()
      subscription = Observable.just(1).map { number in
        object.touch()
        return number
      }.subscribe(on: scheduler).subscribe { _ in }
    }
    #expect(lifetimes.alive == 1)
    subscription.dispose()
    #expect(lifetimes.alive == 0)
    scheduler.run()
  }
}
