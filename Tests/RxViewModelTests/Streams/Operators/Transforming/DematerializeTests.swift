import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct DematerializeTests {
  private let requests = PublishSubject<Int>()

  /// The events of all requests. Requests for odd numbers fail.
  private var events: Observable<Event<Int>> {
    requests.flatMap { number -> Observable<Event<Int>> in
      let answer = Observable.just(number * 10)
      return (number % 2 == 0 ? answer : answer.concat(.error(TestError("\(number)")))).materialize()
    }
  }

  @Test func elementsAndErrorsOfRequestsContinueAfterAFailure() {
    let (elements, errors) = (events.elements().test(), events.errors().test())
    for number in 1...4 { requests.onNext(number) }
    #expect(elements.values == [10, 20, 30, 40])
    #expect(errors.values.compactMap { $0 as? TestError } == [TestError("1"), TestError("3")])
    #expect(!elements.isCompleted && !errors.isCompleted)
    requests.onCompleted()
    #expect(elements.isCompleted && errors.isCompleted)
  }

  @Test func anErrorOfTheStreamOfEventsItselfPasses() {
    let (elements, errors) = (events.elements().test(), events.errors().test())
    requests.onError(TestError("trigger"))
    #expect(elements.error as? TestError == TestError("trigger"))
    #expect(errors.error as? TestError == TestError("trigger"))
  }

  @Test func nilIsAnElement() {
    #expect(Observable<Int?>.of(nil, 1).materialize().elements().test().values == [nil, 1])
    let pairs = Observable<Int?>.of(nil, 1, nil).combinePrevious().test().values
    #expect(pairs.map { [$0.previous, $0.current] } == [[nil, 1], [1, nil]])
  }
}
