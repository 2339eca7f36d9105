import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// `combineLatest` and `zip` of any number of sources. `DifferentialTests` tests their elements and ends.
struct ManySourcesTests {
  @Test func anErrorEndsTheStreamAndAllSubscriptionsAtOnce() {
    for combine in [Observable.combineLatest, Observable.zip]
      as [@Sendable ([PublishSubject<Int>]) -> Observable<[Int]>]
    {
      let subjects = (0..<4).map { _ in PublishSubject<Int>() }
      let observer = combine(subjects).test()
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
    #expect(observer.isCompleted && lifetimes.alive == 0)
  }

  @Test func withoutASourceItCompletesAtOnce() {
    #expect(Observable.combineLatest([Observable<Int>]()).test().events == [Recorded(.zero, .completed)])
    #expect(Observable.zip([Observable<Int>]()).test().events == [Recorded(.zero, .completed)])
  }

  // contract 1.8
  @Test func eachSubscriptionHasItsOwnElements() {
    let (a, b) = (Observable.of(1, 2), Observable.of(3, 4))
    let (latest, zipped) = (Observable.combineLatest([a, b]), Observable.zip(a, b, a, b) { "\($0)\($1)\($2)\($3)" })
    for _ in 0..<2 {
      #expect(latest.test().values == [[2, 3], [2, 4]])
      #expect(zipped.test().values == ["1313", "2424"])
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

struct MergeAndConcatTests {
  // contract 1.2: an error that comes while another source's element is being delivered waits, and is not dropped
  @Test func anErrorInsideACallbackComesAfterEarlierElements() {
    let (a, b, c) = (PublishSubject<Int>(), PublishSubject<Int>(), PublishSubject<Int>())
    let recorder = Recorder<Int> { event in
      guard case .next(1) = event else { return }
      b.onNext(2)
      c.onError(TestError())
      b.onNext(3)
    }
    let subscription = Observable.merge([a, b, c].map { $0.asObservable() }).subscribe(recorder)
    a.onNext(1)
    #expect(recorder.elements == [1, 2] && recorder.end == "error" && recorder.faults == [])
    #expect(!a.hasObservers && !b.hasObservers)
    subscription.dispose()
  }

  // contract 1.4: the second source disposes the subscription while it is being subscribed, and may still send
  @Test(arguments: ["just", "from", "create", "empty", "error"])
  func aDisposeWhileASourceIsBeingSubscribedCutsItOff(kind: String) {
    let (subject, serial, events) = (PublishSubject<Int>(), SerialDisposable(), Locked(0))
    let second = Observable<Int>.deferred {
      serial.dispose()
      switch kind {
      case "just": return .just(1)
      case "from": return .from([1, 2])
      case "empty": return .empty()
      case "error": return .error(TestError())
      default: return .create { Observable.just(1).subscribe($0) }
      }
    }
    serial.replace(with: subject.concat(second).subscribe { _ in events.increment() })
    subject.onCompleted()
    #expect(events.value == 0)
  }

  // contract 1.2: a source that completes while `merge` subscribes to another one makes way for the next at once, so this misses nothing
  @Test func theNextSourceBeginsWhenThePreviousOneCompletes() {
    let (a, b, seen) = (PublishSubject<Int>(), PublishSubject<Int>(), Locked<[Int]>([]))
    let subscription = a.concat(b.asObservable()).merge(with: Observable.just(0)).subscribe(onNext: { number in
      seen.mutate { $0.append(number) }
      guard number == 0 else { return }
      a.onCompleted()
      b.onNext(5)
    })
    b.onNext(6)
    #expect(seen.value == [0, 5, 6])
    subscription.dispose()
  }
}

// `DifferentialTests` tests the elements and the end of `takePairWhen`.
struct TakeWhenTests {
  private let source = PublishSubject<Int>()
  private let trigger = PublishSubject<String>()

  @Test func sendsTheLatestElementAtEachTriggerUntilTheTriggerCompletes() {
    let observer = source.takeWhen(trigger).test()
    trigger.onNext("early")
    source.onNext(1)
    source.onNext(2)
    trigger.onNext("a")
    source.onCompleted()
    trigger.onNext("b")
    #expect(observer.values == [2, 2] && !observer.isCompleted)
    trigger.onCompleted()
    #expect(observer.isCompleted)
  }
}
