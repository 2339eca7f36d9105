import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.8
@Suite struct ShareTests {
  /// A source that counts its subscriptions and exposes its observer.
  private final class Counted: Sendable {
    let connects = Locked(0)
    let disconnects = Locked(0)
    let observer = Locked<AnyObserver<Int>?>(nil)

    var stream: Observable<Int> {
      .create { [self] observer in
        connects.mutate { $0 += 1 }
        self.observer.mutate { $0 = observer }
        return Disposables.create { self.disconnects.mutate { $0 += 1 } }
      }
    }
  }

  @Test func connectsForTheFirstSubscriberAndDisconnectsAfterTheLast() {
    let source = Counted()
    let shared = source.stream.share()
    #expect(source.connects.value == 0)
    let (first, second) = (shared.test(), shared.test())
    #expect(source.connects.value == 1)
    source.observer.value?.onNext(1)
    first.dispose()
    first.dispose()
    #expect(source.disconnects.value == 0)
    source.observer.value?.onNext(2)
    second.dispose()
    #expect(source.disconnects.value == 1)
    #expect(first.values == [1])
    #expect(second.values == [1, 2])
    let third = shared.test()
    #expect(source.connects.value == 2)
    source.observer.value?.onNext(3)
    #expect(third.values == [3])
    third.dispose()
    #expect(source.disconnects.value == 2)
  }

  @Test func aConnectionLastsAlthoughItsSourceRetainsNothing() {
    let (connects, disconnects) = (Locked(0), Locked(0))
    let shared = Observable<Int>.create { observer in
      connects.mutate { $0 += 1 }
      observer.onNext(7)
      return Disposables.create { disconnects.mutate { $0 += 1 } }
    }.share(replay: 1)
    let (first, second) = (shared.test(), shared.test())
    #expect(connects.value == 1)
    #expect(first.values == [7])
    #expect(second.values == [7])
    first.dispose()
    second.dispose()
    #expect(disconnects.value == 1)
    // Nothing retains the observer of this source. Only the disposable remains.
    let subscription = Observable<Int>.create { _ in
      Disposables.create { disconnects.mutate { $0 += 1 } }
    }.share().subscribe { _ in }
    subscription.dispose()
    #expect(disconnects.value == 2)
  }

  // contract 1.5, 1.8
  @Test func replaysTheLastElementsOfThisConnection() {
    let source = Counted()
    let shared = source.stream.share(replay: 2)
    let first = shared.test()
    for number in 1...3 { source.observer.value?.onNext(number) }
    let second = shared.test()
    #expect(second.values == [2, 3])
    source.observer.value?.onNext(4)
    #expect(second.values == [2, 3, 4])
    first.dispose()
    second.dispose()
    let third = shared.test()
    #expect(third.values == [])
    third.dispose()
  }

  @Test func startsAgainAfterAnEnd() {
    let source = Counted()
    let shared = source.stream.share(replay: 1)
    for isError in [true, false] {
      let observer = shared.test()
      source.observer.value?.onNext(1)
      source.observer.value?.on(isError ? .error(TestError()) : .completed)
      #expect(observer.events.count == 2)
      let next = shared.test()
      #expect(next.events.isEmpty)
      next.dispose()
    }
    #expect(source.connects.value == 4)
    #expect(source.disconnects.value == 4)
    #expect(Observable.of(1, 2).share().test().values == [1, 2])
  }

  // contract 1
  @Test func subscribingAgainInsideTheTerminalCallbackJoinsTheNewConnection() {
    let source = Counted()
    let shared = source.stream.share()
    let (again, alsoAgain) = (Recorder<Int>(), Recorder<Int>())
    let bag = DisposeBag()
    for later in [again, alsoAgain] {
      shared.subscribe { event in
        if case .completed = event { shared.subscribe(later).disposed(by: bag) }
      }.disposed(by: bag)
    }
    source.observer.value?.onCompleted()
    #expect(source.connects.value == 2)
    source.observer.value?.onNext(5)
    #expect(again.elements == [5])
    #expect(alsoAgain.elements == [5])
    bag.dispose()
    #expect(source.disconnects.value == 2)
  }

  @Test func aSubscriberThatIsCutOffLeaves() {
    let source = Counted()
    let shared = source.stream.share()
    let one = shared.take(1).test()
    let all = shared.test()
    source.observer.value?.onNext(1)
    #expect(one.isCompleted)
    #expect(source.disconnects.value == 0)
    all.dispose()
    #expect(source.disconnects.value == 1)
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
    #expect(!subject.hasObservers)
    _ = shared
  }
}
