import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// `DifferentialTests` tests the elements and the end of `takePairWhen`.
@Suite struct TakeWhenTests {
  private let source = PublishSubject<Int>()
  private let trigger = PublishSubject<String>()

  @Test func sendsTheLatestElementAtEachTriggerUntilTheTriggerCompletes() {
    let observer = source.takeWhen(trigger).test()
    trigger.onNext("early")
    source.onNext(1)
    source.onNext(2)
    trigger.onNext("a")
    source.onCompleted()
    trigger.onNext("b")
    #expect(observer.values == [2, 2])
    #expect(!observer.isCompleted)
    trigger.onCompleted()
    #expect(observer.isCompleted)
  }

  // contract 1.5
  @Test func twoSourcesThatReplayMakeOnePair() {
    let observer = BehaviorSubject(value: 1).takePairWhen(BehaviorSubject(value: "a")).test()
    #expect(observer.values.map { "\($0)\($1)" } == ["1a"])
  }
}
