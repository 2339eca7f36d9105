import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
@Suite struct TestObserverTests {
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
    #expect(observer.lastValue == 2)
    #expect(observer.isCompleted)
    #expect(observer.error == nil)
    let failing = Observable.just(3).concat(Observable.error(TestError())).test()
    #expect(failing.lastValue == 3)
    #expect(failing.error as? TestError == TestError())
    #expect(!failing.isCompleted)
    #expect(Observable<Int>.empty().test().lastValue == nil)
  }
}
