import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct CombineLatestTests {
  // contract 1: emits nothing until every source has emitted; completes when all have, if each has sent an element
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

  /// Forms of `combineLatest` whose first source is `source`. The others have an element and never complete.
  private static let forms: [(name: String, make: @Sendable (Observable<Int>) -> Observable<Int>)] = {
    let other = BehaviorSubject(value: 0)
    return [
      ("two", { .combineLatest($0, other) { $0 + $1 } }), ("two, second", { .combineLatest(other, $0) { $0 + $1 } }),
      ("three", { .combineLatest($0, other, other) { $0 + $1 + $2 } }),
      ("three, last", { .combineLatest(other, other, $0) { $0 + $1 + $2 } }),
      ("four", { .combineLatest($0, other, other, other) { $0 + $1 + $2 + $3 } }),
      ("tuple", { Observable.combineLatest(other, $0).map { $0 + $1 } }),
      ("array", { Observable.combineLatest([other.asObservable(), $0]).map { $0[0] + $0[1] } }),
    ]
  }()

  // contract 1: completes when a source completes without an element, because it will never send one
  @Test(arguments: forms.indices)
  func aSourceThatCompletesWithoutAnElementEndsIt(form: Int) {
    let (name, make) = Self.forms[form]
    let source = PublishSubject<Int>()
    let observer = make(source.asObservable()).test()
    source.onCompleted()
    #expect(observer.events == [Recorded(.zero, .completed)], "\(name)")
    #expect(make(.empty()).test().isCompleted, "\(name)")
  }

  // contract 1: a source that has sent an element may complete
  @Test(arguments: forms.indices)
  func aSourceThatCompletesAfterAnElementDoesNotEndIt(form: Int) {
    let (name, make) = Self.forms[form]
    let observer = make(.just(7)).test()
    #expect(observer.values == [7], "\(name)")
    #expect(!observer.isCompleted, "\(name)")
    observer.dispose()
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
