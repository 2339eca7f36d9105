import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
struct TestObserverTests {
  @Test(.stress, .ownThread) func theCostOfLastValueDoesNotGrowWithTheNumberOfEvents() {
    expectGrowth(from: 2_000, below: 8) { count in
      let observer = TestObserver<Int>()
      for number in 0..<count {
        observer.onNext(number)
        if observer.lastValue != number { Issue.record("lastValue is not \(number)") }
      }
    }
  }

  @Test func theEndDoesNotHideTheLastValue() {
    let observer = Observable.of(1, 2).test()
    #expect(observer.lastValue == 2 && observer.isCompleted && observer.error == nil)
    let failing = Observable.just(3).concat(Observable.error(TestError())).test()
    #expect(failing.lastValue == 3 && !failing.isCompleted)
    #expect(failing.error as? TestError == TestError())
    #expect(Observable<Int>.empty().test().lastValue == nil)
  }

  @Test func anObserverRecordsNothingAfterItsDispose() {
    let (subject, observer) = (PublishSubject<Int>(), TestObserver<Int>())
    let subscription = subject.subscribe(onNext: { number in
      observer.onNext(number)
      if number == 2 { observer.dispose() }
    })
    (1...3).forEach(subject.onNext)
    #expect(observer.values == [1, 2])
    subscription.dispose()
  }
}
