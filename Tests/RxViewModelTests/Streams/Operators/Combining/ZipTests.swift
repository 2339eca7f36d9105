import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1: `zip` completes when no further pair is possible
@Suite struct ZipTests {
  private func zipped(_ a: [Recorded<Int>], _ b: [Recorded<Int>]) -> [Recorded<Int>] {
    outcome(of: a) { source, scheduler in .zip(source, scheduler.coldObservable(b)) { $0 * 100 + $1 } }
  }

  @Test func pairs() {
    let (a, b) = (events([1: 1, 7: 2, 9: 3]), events([4: 5, 5: 6]))
    #expect(zipped(a, b) == events([4: 105, 7: 206]))
    #expect(zipped(b, a) == events([4: 501, 7: 602]))
  }

  @Test func completesWhenNoFurtherPairIsPossible() {
    #expect(zipped(events([1: 1], completed: 2), events([5: 5, 6: 6])) == events([5: 105], completed: 5))
    #expect(zipped(events([1: 1], completed: 7), events([5: 5])) == events([5: 105], completed: 7))
    #expect(zipped(events([:], completed: 3), events([5: 5])) == events([:], completed: 3))
    #expect(zipped(events([5: 5, 6: 6]), events([1: 1], completed: 2)) == events([5: 501], completed: 5))
    #expect(zipped(events([1: 1]), events([5: 5], completed: 6)) == events([5: 105], completed: 6))
  }

  @Test func anErrorEndsItAtOnce() {
    #expect(zipped(events([1: 1, 2: 2]), events([:], error: 3)) == events([:], error: 3))
  }

  @Test func itsEndEndsBothSubscriptionsAndReleasesTheWaitingElements() {
    let (a, b, lifetimes) = (PublishSubject<Lifetimes.Object>(), PublishSubject<Int>(), Lifetimes())
    let observer = Observable.zip(a, b) { $1 }.test()
    a.onNext(lifetimes.make())
    a.onNext(lifetimes.make())
    #expect(lifetimes.alive == 2)
    b.onNext(1)
    #expect(lifetimes.alive == 1)
    b.onCompleted()
    #expect(observer.values == [1])
    #expect(!observer.isCompleted == b.hasObservers)
    a.onCompleted()
    #expect(observer.isCompleted)
    #expect(lifetimes.alive == 0)
  }

  // contract 1.7
  @Test func throwing() {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = Observable<Int>.zip(a, b) { _, _ in throw TestError() }.test()
    a.onNext(1)
    a.onCompleted()
    b.onNext(1)
    #expect(observer.error is TestError)
    #expect(!observer.isCompleted)
    #expect(!b.hasObservers)
  }
}
