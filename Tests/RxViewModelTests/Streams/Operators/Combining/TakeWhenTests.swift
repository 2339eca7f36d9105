import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct TakeWhenTests {
  private let source = PublishSubject<Int>()
  private let trigger = PublishSubject<String>()

  @Test func sendsTheLatestElementAtEachTrigger() {
    let observer = source.takeWhen(trigger).test()
    source.onNext(1)
    source.onNext(2)
    trigger.onNext("a")
    trigger.onNext("b")
    source.onNext(4)
    trigger.onNext("c")
    #expect(observer.values == [2, 2, 4])
    #expect(!observer.isCompleted)
  }

  @Test func aTriggerBeforeTheFirstElementSendsNothing() {
    let observer = source.takeWhen(trigger).test()
    trigger.onNext("a")
    source.onNext(1)
    #expect(observer.events.isEmpty)
  }

  @Test func endsWithTheTriggerAndNotWithTheSource() {
    let observer = source.takeWhen(trigger).test()
    source.onNext(1)
    source.onCompleted()
    trigger.onNext("a")
    trigger.onNext("b")
    #expect(observer.values == [1, 1])
    #expect(!observer.isCompleted)
    trigger.onCompleted()
    #expect(observer.isCompleted)
  }

  @Test(arguments: [true, false])
  func anErrorOfEitherPasses(isTheSources: Bool) {
    let observer = source.takeWhen(trigger).test()
    if isTheSources { source.onError(TestError()) } else { trigger.onError(TestError()) }
    #expect(observer.error as? TestError == TestError())
    #expect(!source.hasObservers)
    #expect(!trigger.hasObservers)
  }

  @Test func takePairWhenSendsTheTriggersElementToo() {
    let observer = source.takePairWhen(trigger).test()
    trigger.onNext("early")
    source.onNext(1)
    source.onNext(2)
    trigger.onNext("a")
    trigger.onNext("b")
    #expect(observer.values.map(\.0) == [2, 2])
    #expect(observer.values.map(\.1) == ["a", "b"])
  }

  // contract 1.5
  @Test func twoSourcesThatReplayMakeOnePair() {
    let observer = BehaviorSubject(value: 1).takePairWhen(BehaviorSubject(value: "a")).test()
    #expect(observer.values.count == 1)
    #expect(observer.lastValue?.0 == 1)
    #expect(observer.lastValue?.1 == "a")
  }
}
