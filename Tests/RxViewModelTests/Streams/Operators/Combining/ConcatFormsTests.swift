import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1, `concat`: the form with several streams behaves like the form with an array
@Suite struct ConcatFormsTests {
  @Test func severalStreamsFollowOneAnother() {
    let (first, last) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = Observable.concat(first.asObservable(), .of(2, 3), last.asObservable()).test()
    last.onNext(9)
    first.onNext(1)
    first.onCompleted()
    last.onNext(4)
    last.onCompleted()
    #expect(observer.values == [1, 2, 3, 4])
    #expect(observer.isCompleted)
  }

  @Test func anErrorEndsThem() {
    let observer = Observable.concat(.just(1), .error(TestError()), .just(2)).test()
    #expect(observer.events == [Recorded(.zero, .next(1)), Recorded(.zero, .error(TestError()))])
  }
}
