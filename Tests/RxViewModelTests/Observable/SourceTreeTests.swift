import RxViewModelTesting
import Testing

@testable import RxViewModel

@Suite struct SourceTreeTests {
  @Test func aConcatenationNeedsNoSerializerUnlessItHoldsAMerge() {
    let concat = SourceTree(.concat, [Observable.just(1), .just(2)])
    let merge = SourceTree(.merge, [Observable.just(1), .just(2)])
    #expect(!concat.merges)
    #expect(merge.merges)
    #expect(!SourceTree(.concat, [Observable(.tree(concat))]).merges)
    #expect(SourceTree(.concat, [Observable(.tree(concat)), Observable(.tree(merge))]).merges)
  }

  @Test func nestedNodesDoNotCountAsDepth() {
    let stream = PublishSubject<Int>().map { $0 }
    let one = SourceTree(.concat, [stream])
    #expect(one.depth == 2)
    #expect(SourceTree(.merge, [Observable(.tree(one)), .just(1)]).depth == 2)
    #expect(SourceTree<Int>(.merge, []).depth == 0)
  }

  @Test func aTreeRunsLikeItsNestedOperators() {
    let one = Observable(.tree(SourceTree(.concat, [Observable.of(1, 2), .empty(), .just(3)])))
    let other = Observable(.tree(SourceTree(.merge, [Observable.just(4), .of(5, 6)])))
    let tree = SourceTree(.concat, [one, other, Observable(.tree(SourceTree<Int>(.merge, [])))])
    let observer = Observable(.tree(tree)).test()
    #expect(observer.values == [1, 2, 3, 4, 5, 6])
    #expect(observer.isCompleted)
  }

  @Test func aChildIsSubscribedWhenTheOneBeforeItHasCompleted() {
    let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = Observable(
      .tree(SourceTree(.concat, [first.asObservable(), second.asObservable()]))
    ).test()
    #expect(!second.hasObservers)
    first.onCompleted()
    #expect(second.hasObservers)
    observer.dispose()
    #expect(!second.hasObservers)
  }

  // A source's error ends the whole, also while the children of a merge are being subscribed.
  @Test func anErrorEndsTheOtherSources() {
    let subject = PublishSubject<Int>()
    let tree = SourceTree(.merge, [subject.asObservable(), .error(TestError()), .just(1)])
    let observer = Observable(.tree(tree)).test()
    #expect(observer.error is TestError)
    #expect(observer.values == [])
    #expect(!subject.hasObservers)
  }

  // contract 1.6
  @Test func aDeepTreeIsReleasedWithoutRecursion() async {
    let lifetimes = Lifetimes()
    await onThread(stackSize: smallStack) {
      let object = lifetimes.make()
      var stream = Observable<Int>.never().do(onNext: { _ in object.touch() })
      for step in 0..<50_000 {
        stream = Observable(
          .tree(SourceTree(step % 2 == 0 ? .concat : .merge, [stream, .never()])))
      }
    }
    #expect(lifetimes.alive == 0)
  }
}
