import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct FlatMapTests {
  // contract 1.7: the operator disposes the source at the throw, although the error waits for its turn
  @Test func aThrowInsideACallbackDisposesTheSource() {
    let (outer, inner, calls) = (PublishSubject<Int>(), PublishSubject<Int>(), Locked<[Int]>([]))
    let log = Locked<[String]>([])
    let subscription = outer.flatMap { number -> Observable<Int> in
      calls.mutate { $0.append(number) }
      if number == 2 { throw TestError() }
      return inner.asObservable()
    }.subscribe(
      onNext: { number in
        outer.onNext(2)
        #expect(!outer.hasObservers)
        outer.onNext(3)
        log.mutate { $0.append("\(number)") }
      }, onError: { _ in log.mutate { $0.append("error") } })
    outer.onNext(1)
    inner.onNext(7)
    #expect(calls.value == [1, 2])
    #expect(log.value == ["7", "error"])
    #expect(!inner.hasObservers)
    subscription.dispose()
  }

  @Test func flatMap() {
    let (outer, inner) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = outer.flatMap { number in number == 0 ? .just(-1) : inner.map { $0 * number } }.test()
    outer.onNext(1)
    outer.onNext(0)
    outer.onNext(10)
    inner.onNext(2)
    outer.onCompleted()
    #expect(!observer.isCompleted)
    inner.onNext(3)
    inner.onCompleted()
    #expect(observer.values == [-1, 2, 20, 3, 30])
    #expect(observer.isCompleted)
  }
}
