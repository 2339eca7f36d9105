import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.8
@Suite struct ShareTests {
  private let source = Producer()

  @Test func connectsForTheFirstSubscriberAndDisconnectsAfterTheLast() {
    let shared = source.stream.share()
    #expect(source.log.value == [])
    let (first, second) = (shared.test(), shared.test())
    source.observer.onNext(1)
    first.dispose()
    first.dispose()
    #expect(source.log.value == ["open"])
    source.observer.onNext(2)
    second.dispose()
    #expect(source.log.value == ["open", "close"])
    #expect(first.values == [1])
    #expect(second.values == [1, 2])
    let third = shared.test()
    source.observer.onNext(3)
    #expect(third.values == [3])
    third.dispose()
    #expect(source.log.value == ["open", "close", "open", "close"])
  }

  @Test func aConnectionLastsAlthoughItsSourceRetainsNothing() {
    let disconnects = Locked(0)
    // Nothing retains the observer of this source. Only the disposable remains.
    let subscription = Observable<Int>.create { _ in
      Disposables.create { disconnects.increment() }
    }.share().subscribe { _ in }
    subscription.dispose()
    #expect(disconnects.value == 1)
  }

  // contract 1.5, 1.8
  @Test func replaysTheLastElementsOfThisConnection() {
    let shared = source.stream.share(replay: 2)
    let first = shared.test()
    for number in 1...3 { source.observer.onNext(number) }
    let second = shared.test()
    #expect(second.values == [2, 3])
    source.observer.onNext(4)
    #expect(second.values == [2, 3, 4])
    first.dispose()
    second.dispose()
    #expect(shared.test().values == [])
  }

  @Test func startsAgainAfterAnEnd() {
    let shared = source.stream.share(replay: 1)
    for end in [Event<Int>.error(TestError()), .completed] {
      let observer = shared.test()
      source.observer.onNext(1)
      source.observer.on(end)
      #expect(observer.events.count == 2)
      let next = shared.test()
      #expect(next.events.isEmpty)
      next.dispose()
    }
    #expect(source.log.value == (1...4).flatMap { _ in ["open", "close"] })
  }

  // contract 1
  @Test func subscribingAgainInsideTheTerminalCallbackJoinsTheNewConnection() {
    let shared = source.stream.share()
    let (again, alsoAgain, bag) = (Recorder<Int>(), Recorder<Int>(), DisposeBag())
    for later in [again, alsoAgain] {
      shared.subscribe { event in
        if case .completed = event { shared.subscribe(later).disposed(by: bag) }
      }.disposed(by: bag)
    }
    source.observer.onCompleted()
    #expect(source.log.value == ["open", "close", "open"])
    source.observer.onNext(5)
    #expect(again.elements == [5])
    #expect(alsoAgain.elements == [5])
    bag.dispose()
    #expect(source.log.value.last == "close")
  }

  @Test func aSubscriberThatIsCutOffLeaves() {
    let shared = source.stream.share()
    let (one, all) = (shared.take(1).test(), shared.test())
    source.observer.onNext(1)
    #expect(one.isCompleted)
    #expect(source.log.value == ["open"])
    all.dispose()
    #expect(source.log.value == ["open", "close"])
    // The subscriber leaves while it connects to an endless source.
    let endless = Observable.from(sequence(first: 0) { $0 + 1 }).share(replay: 1)
    #expect(endless.take(3).test().values == [0, 1, 2])
  }

  @Test func nothingIsRetainedAfterTheLastSubscriberHasLeft() {
    let (subject, lifetimes) = (PublishSubject<Lifetimes.Object>(), Lifetimes())
    let shared = subject.share(replay: 3)
    let observer = shared.map { _ in 0 }.test()
    for _ in 0..<5 { subject.onNext(lifetimes.make()) }
    #expect(lifetimes.alive == 3)
    observer.dispose()
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(shared) {}
  }
}
