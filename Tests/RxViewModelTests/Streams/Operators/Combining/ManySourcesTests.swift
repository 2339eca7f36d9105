import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// `combineLatest` and `zip` of any number of sources.
@Suite struct ManySourcesTests {
  /// A form of `combineLatest` and `zip` with four sources.
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

  // contract 1.4
  @Test(arguments: Form.allCases)
  func combineLatestDisposesTheOthersWhenItCompletesEarly(form: Form) {
    let subjects = (0..<4).map { _ in PublishSubject<Int>() }
    let observer = form.combineLatest(subjects.map { $0.asObservable() }).test()
    subjects[0].onNext(1)
    subjects[2].onCompleted()
    #expect(observer.isCompleted)
    #expect(subjects.allSatisfy { !$0.hasObservers })
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

  // contract 1.7
  @Test func aTransformThatThrowsEndsTheStream() {
    let subjects = (0..<4).map { _ in PublishSubject<Int>() }
    let (a, b, c, d) = (subjects[0], subjects[1], subjects[2], subjects[3])
    let streams: [Observable<Int>] = [
      .combineLatest(a, b, c, d) { _, _, _, _ in throw TestError() },
      .zip(a, b, c, d) { _, _, _, _ in throw TestError() },
    ]
    for stream in streams {
      let observer = stream.test()
      for subject in subjects { subject.onNext(1) }
      #expect(observer.values == [])
      #expect(observer.error as? TestError == TestError())
      #expect(subjects.allSatisfy { !$0.hasObservers })
    }
  }

  // contract 1.2: an element that a callback sends waits its turn, and `zip` pairs it too
  @Test(arguments: Form.allCases)
  func elementsThatACallbackSendsComeAfterItsEvent(form: Form) {
    let latest = (0..<4).map { _ in PublishSubject<Int>() }
    let recorder = Recorder<[Int]> { event in
      guard case .next([1, 1, 1, 1]) = event else { return }
      latest[0].onNext(2)
      latest[1].onNext(3)
      latest[0].onError(TestError())
    }
    _ = form.combineLatest(latest.map { $0.asObservable() }).subscribe(recorder)
    for subject in latest { subject.onNext(1) }
    #expect(recorder.elements == [[1, 1, 1, 1], [2, 1, 1, 1], [2, 3, 1, 1]])
    #expect(recorder.end == "error")
    #expect(recorder.faults == [])
    let zipped = (0..<4).map { _ in PublishSubject<Int>() }
    let pairs = Recorder<[Int]> { event in
      guard case .next([1, 1, 1, 1]) = event else { return }
      for subject in zipped { subject.onNext(2) }
      zipped[0].onCompleted()
    }
    _ = form.zip(zipped.map { $0.asObservable() }).subscribe(pairs)
    for subject in zipped { subject.onNext(1) }
    #expect(pairs.elements == [[1, 1, 1, 1], [2, 2, 2, 2]])
    #expect(pairs.end == "completed")
    #expect(pairs.faults == [])
    #expect(zipped.allSatisfy { !$0.hasObservers })
  }

  // contract 1.4: a dispose inside the last callback is not followed by the completion
  @Test(arguments: Form.allCases)
  func aDisposeInsideTheLastCallbackCutsOffTheCompletion(form: Form) {
    let subjects = (0..<4).map { _ in PublishSubject<Int>() }
    let (serial, recorder) = (SerialDisposable(), Recorder<[Int]> { _ in })
    serial.replace(
      with: form.zip(subjects.map { $0.asObservable() }).subscribe { event in
        recorder.on(event)
        serial.dispose()
      })
    subjects[0].onNext(1)
    subjects[0].onCompleted()
    for subject in subjects.dropFirst() { subject.onNext(1) }
    #expect(recorder.elements == [[1, 1, 1, 1]])
    #expect(recorder.end == nil)
    #expect(subjects.allSatisfy { !$0.hasObservers })
  }

  // contract 1.2: while two threads send, `combineLatest` keeps the order of each source, and `zip` pairs each element once
  @Test(.stress, arguments: Form.allCases)
  func twoThreadsSendAtOnce(form: Form) async throws {
    let rounds = await race(
      times: 50,
      { () -> (subjects: [PublishSubject<Int>], latest: Recorder<[Int]>, zipped: Recorder<[Int]>) in
        let subjects = (0..<4).map { _ in PublishSubject<Int>() }
        let sources = subjects.map { $0.asObservable() }
        let (latest, zipped) = (Recorder<[Int]>(), Recorder<[Int]>())
        _ = form.combineLatest(sources).subscribe(latest)
        _ = form.zip(sources).subscribe(zipped)
        subjects[2].onNext(0)
        subjects[3].onNext(0)
        return (subjects, latest, zipped)
      },
      { round in for number in 0..<100 { for source in [0, 2] { round.subjects[source].onNext(number) } } },
      { round in for number in 0..<100 { for source in [1, 3] { round.subjects[source].onNext(number) } } })
    for round in try #require(rounds) {
      #expect(round.latest.faults == [] && round.zipped.faults == [])
      for source in 0..<2 {
        let numbers = round.latest.elements.map { $0[source] }
        #expect(numbers == numbers.sorted())
      }
      #expect(round.latest.elements.last == [99, 99, 99, 99])
      #expect(round.zipped.elements == (0..<100).map { [$0, $0, max($0 - 1, 0), max($0 - 1, 0)] })
    }
  }

  @Test func nestedOptionalsStayAsTheyAre() {
    let (none, some) = (Observable<Int??>.just(.none), Observable<Int??>.just(.some(.none)))
    let latest = Observable.combineLatest(none, some, none, some) { a, b, c, d in [a, b, c, d] }.test().values
    let zipped = Observable.zip(none, some, none) { a, b, c in [a, b, c] }.test().values
    #expect(latest == [[.none, .some(.none), .none, .some(.none)]])
    #expect(zipped == [[.none, .some(.none), .none]])
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
