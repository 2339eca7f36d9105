import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// `combineLatest` and `zip` of any number of sources.
@Suite struct ManySourcesTests {
  /// A form of `combineLatest` and `zip` with four sources. `DifferentialTests` tests the forms with fewer.
  enum Form: CaseIterable {
    case pack, tuple, array

    func combineLatest(_ sources: [Observable<Int>]) -> Observable<[Int]> {
      let (a, b, c, d) = (sources[0], sources[1], sources[2], sources[3])
      switch self {
      case .pack: return .combineLatest(a, b, c, d) { [$0, $1, $2, $3] }
      case .tuple: return Observable.combineLatest(a, b, c, d).map { [$0, $1, $2, $3] }
      case .array: return Observable.combineLatest(sources)
      }
    }

    func zip(_ sources: [Observable<Int>]) -> Observable<[Int]> {
      let (a, b, c, d) = (sources[0], sources[1], sources[2], sources[3])
      switch self {
      case .pack: return .zip(a, b, c, d) { [$0, $1, $2, $3] }
      case .tuple: return Observable.zip(a, b, c, d).map { [$0, $1, $2, $3] }
      case .array: return Observable.zip(sources)
      }
    }
  }

  private func seen(
    _ sources: [[Recorded<Int>]], _ combine: ([Observable<Int>]) -> Observable<[Int]>
  ) -> [Recorded<[Int]>] {
    let scheduler = TestScheduler()
    let observer = combine(sources.map { scheduler.coldObservable($0).asObservable() }).test(scheduler)
    scheduler.run()
    return observer.events
  }

  // contract 1: emits nothing until every source has emitted; completes when all have, if each has sent an element
  @Test(arguments: Form.allCases)
  func combineLatestEmitsWhenAllSourcesHaveEmitted(form: Form) {
    let sources = [
      events([1: 1, 6: 2], completed: 8), events([2: 10], completed: 3), events([3: 100, 7: 200], completed: 9),
      events([5: 1_000], completed: 6),
    ]
    #expect(
      seen(sources, form.combineLatest)
        == events([5: [1, 10, 100, 1_000], 6: [2, 10, 100, 1_000], 7: [2, 10, 200, 1_000]], completed: 9))
  }

  // contract 1: completes when a source completes without an element
  @Test(arguments: Form.allCases)
  func combineLatestCompletesWithASourceThatSendsNothing(form: Form) {
    let sources = [events([1: 1], completed: 4), events([:], completed: 2), events([1: 1], completed: 3)]
    #expect(seen(sources + [events([1: 1])], form.combineLatest) == events([:], completed: 2))
  }

  // contract 1: completes when no further combination is possible
  @Test(arguments: Form.allCases)
  func zipEndsWithTheShortest(form: Form) {
    let others = [events([1: 10, 2: 20, 3: 30]), events([4: 100, 5: 200]), events([6: 1_000, 7: 2_000])]
    let expected = [1, 10, 100, 1_000]
    #expect(seen([events([1: 1], completed: 2)] + others, form.zip) == events([6: expected], completed: 6))
    #expect(seen([events([1: 1], completed: 9)] + others, form.zip) == events([6: expected], completed: 9))
    #expect(seen([events([:], completed: 3)] + others, form.zip) == events([:], completed: 3))
    #expect(
      seen([events([1: 1, 8: 2])] + others, form.zip) == events([6: expected, 8: [2, 20, 200, 2_000]]))
  }

  @Test(arguments: Form.allCases)
  func anErrorEndsTheStreamAndAllSubscriptionsAtOnce(form: Form) {
    for combine in [form.combineLatest, form.zip] {
      let subjects = (0..<4).map { _ in PublishSubject<Int>() }
      let observer = combine(subjects.map { $0.asObservable() }).test()
      for subject in subjects { subject.onNext(1) }
      subjects[2].onError(TestError())
      #expect(observer.values == [[1, 1, 1, 1]])
      #expect(observer.error as? TestError == TestError())
      #expect(subjects.allSatisfy { !$0.hasObservers })
    }
  }

  // The operators erase the types of the elements internally, and restore them.
  @Test func elementsOfEveryKindOfType() {
    let (none, nested) = (Observable<Int?>.just(nil), Observable<Int??>.just(.some(nil)))
    let error = Observable<any Error>.just(TestError("x"))
    let double = Observable<@Sendable (Int) -> Int>.just { $0 * 2 }
    let pair = Observable<(Int, String)>.just((3, "a"))
    let object = Observable<any ObserverType<Int>>.just(PublishSubject<Int>())
    for stream in [
      Observable.combineLatest(none, nested, error, double, pair, object) {
        "\($0 == nil) \($1 == nil) \($1! == nil) \($2) \($3(4)) \($4.0)\($4.1) \($5 is PublishSubject<Int>)"
      },
      Observable.zip(none, nested, error, double, pair, object) {
        "\($0 == nil) \($1 == nil) \($1! == nil) \($2) \($3(4)) \($4.0)\($4.1) \($5 is PublishSubject<Int>)"
      },
    ] {
      #expect(stream.test().values == ["true false true x 8 3a true"])
    }
  }

  // contract 1.4: the operator does not retain an element that another has replaced
  @Test func anElementIsReleasedWhenTheNextReplacesIt() {
    let (lifetimes, subject, other) = (Lifetimes(), PublishSubject<Lifetimes.Object>(), BehaviorSubject(value: 0))
    let subscription = Observable.combineLatest(subject, other, other, other) { _, _, _, _ in }.subscribe { _ in }
    for _ in 0..<3 { subject.onNext(lifetimes.make()) }
    #expect(lifetimes.alive == 1)
    subscription.dispose()
    #expect(lifetimes.alive == 0)
  }

  // contract 1.4
  @Test func theEndOfZipEndsBothSubscriptionsAndReleasesTheWaitingElements() {
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

  @Test func withoutASourceItCompletesAtOnce() {
    #expect(Observable.combineLatest([Observable<Int>]()).test().events == [Recorded(.zero, .completed)])
    #expect(Observable.zip([Observable<Int>]()).test().events == [Recorded(.zero, .completed)])
  }

  // contract 1.8
  @Test func eachSubscriptionHasItsOwnElements() {
    let (a, b) = (Observable.of(1, 2), Observable.of(3, 4))
    let (latest, zipped) = (Observable.combineLatest([a, b]), Observable.zip(a, b, a, b) { $0 + $1 + $2 + $3 })
    for _ in 0..<2 {
      #expect(latest.test().values == [[2, 3], [2, 4]])
      #expect(zipped.test().values == [8, 12])
    }
  }

  // contract 1.9: the cost of an element does not grow with the number of the other sources
  @Test(.stress, .ownThread) func zippingManySourcesIsLinearInTheirNumber() {
    expectGrowth(from: 200, below: 9) { count in
      let subjects = (0..<count).map { _ in PublishSubject<Int>() }
      let subscription = Observable.zip(subjects).subscribe { _ in }
      for _ in 0..<3 { for subject in subjects { subject.onNext(1) } }
      subscription.dispose()
    }
  }
}
