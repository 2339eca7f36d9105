import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct FlatMapTests {
  // contract 1.7: the source is disposed by the throw, though the error has to wait for its turn
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
}
