import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct CombinePreviousTests {
  private func pairs(_ stream: Observable<(previous: Int, current: Int)>) -> [String] {
    let observer = stream.test()
    return observer.values.map { "\($0.previous) \($0.current)" } + (observer.isCompleted ? ["completed"] : [])
  }

  @Test func eachElementComesWithTheOneBeforeIt() {
    #expect(pairs(Observable.of(1, 2, 3).combinePrevious()) == ["1 2", "2 3", "completed"])
    #expect(pairs(Observable.of(1, 2, 3).combinePrevious(0)) == ["0 1", "1 2", "2 3", "completed"])
  }

  @Test func aSingleElementMakesNoPairWithoutAnInitialOne() {
    #expect(pairs(Observable.just(1).combinePrevious()) == ["completed"])
    #expect(pairs(Observable.just(1).combinePrevious(0)) == ["0 1", "completed"])
    #expect(pairs(Observable.empty().combinePrevious(0)) == ["completed"])
  }

  @Test func nilIsAnElement() {
    let observer = Observable<Int?>.of(nil, 1, nil).combinePrevious().test()
    #expect(observer.values.map(\.previous) == [nil, 1])
    #expect(observer.values.map(\.current) == [1, nil])
    #expect(Observable<Int?>.of(1).combinePrevious(nil).test().values.map(\.previous) == [nil])
  }

  // contract 1.8
  @Test func eachSubscriptionBeginsWithTheInitialElement() {
    let stream = Observable.of(1, 2).combinePrevious(0)
    #expect(pairs(stream) == pairs(stream))
  }

  @Test func anErrorPasses() {
    let observer = Observable.of(1).concat(.error(TestError())).combinePrevious(0).test()
    #expect(observer.values.count == 1)
    #expect(observer.error is TestError)
  }
}
