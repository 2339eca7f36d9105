import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct CombineLatestTests {
  // contract 1: emits nothing until every source has emitted; completes when all have
  @Test func combineLatest() {
    let (a, b) = (PublishSubject<Int>(), BehaviorSubject(value: "x"))
    let observer = Observable.combineLatest(a, b) { "\($0)\($1)" }.test()
    #expect(observer.values == [])
    a.onNext(1)
    b.onNext("y")
    a.onCompleted()
    b.onNext("z")
    #expect(!observer.isCompleted)
    b.onCompleted()
    #expect(observer.values == ["1x", "1y", "1z"])
    #expect(observer.isCompleted)
    let c = PublishSubject<Bool>()
    let three = Observable.combineLatest(Observable.just(1), Observable.just("a"), c) { "\($0)\($1)\($2)" }.test()
    c.onNext(true)
    #expect(three.values == ["1atrue"])
  }

  // contract 1: withLatestFrom subscribes to the other source first
  @Test func withLatestFrom() {
    let other = PublishSubject<String>()
    let source = PublishSubject<Int>()
    let observer = source.withLatestFrom(other) { "\($0)\($1)" }.test()
    source.onNext(1)
    other.onNext("a")
    source.onNext(2)
    other.onCompleted()
    source.onNext(3)
    source.onCompleted()
    #expect(observer.values == ["2a", "3a"])
    #expect(observer.isCompleted)
    #expect(Observable.just(1).withLatestFrom(Observable.just(2)).test().values == [2])
  }
}
