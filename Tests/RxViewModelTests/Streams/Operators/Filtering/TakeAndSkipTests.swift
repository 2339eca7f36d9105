import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct TakeAndSkipTests {
  @Test func takesTheFirst() {
    let source = events([10: 1, 20: 2, 30: 3], completed: 40)
    #expect(outcome(of: source) { source, _ in source.take(2) } == events([10: 1, 20: 2], completed: 20))
    #expect(outcome(of: source) { source, _ in source.take(5) } == source)
  }

  // contract 1: `take(0)` completes without subscribing
  @Test func takesNothing() {
    let subscribed = Locked(0)
    let observer = Observable.of(1, 2).do(onSubscribe: { subscribed.mutate { $0 += 1 } }).take(0).test()
    #expect(observer.events == [Recorded(.zero, .completed)])
    #expect(subscribed.value == 0)
  }

  @Test func takeEndsTheSubscriptionToTheSource() {
    let subject = PublishSubject<Int>()
    let observer = subject.take(1).test()
    subject.onNext(1)
    #expect(!subject.hasObservers)
    #expect(observer.isCompleted)
    // An endless source ends too, and sends no further element.
    let asked = Locked(0)
    let endless = Observable.from(sequence(first: 0) { $0 + 1 }).do(onNext: { _ in asked.mutate { $0 += 1 } })
    #expect(endless.take(3).test().values == [0, 1, 2])
    #expect(asked.value == 3)
  }

  // contract 1.2: an element that the callback of the last element sends comes too late
  @Test func sendingFromInsideTheLastElement() {
    let subject = PublishSubject<Int>()
    let recorder = Recorder<Int> { event in
      if case .next(let number) = event { subject.onNext(number + 1) }
    }
    _ = subject.take(2).subscribe(recorder)
    subject.onNext(1)
    #expect(recorder.elements == [1, 2])
    #expect(recorder.end == "completed")
    #expect(recorder.faults == [])
  }

  // contract 1.4: a dispose from inside the last element's callback cuts off the completion
  @Test func disposingFromInsideTheLastElement() {
    func check(_ stream: Observable<Int>, _ send: () -> Void) {
      let (serial, recorder) = (SerialDisposable(), Recorder<Int>())
      serial.replace(
        with: stream.subscribe { event in
          recorder.on(event)
          serial.dispose()
        })
      send()
      #expect(recorder.elements == [1])
      #expect(recorder.end == nil)
    }
    let subject = PublishSubject<Int>()
    check(subject.take(1)) { subject.onNext(1) }
    let last = PublishSubject<Int>()
    check(last.take(while: { _ in false }, inclusive: true)) { last.onNext(1) }
    let collected = PublishSubject<Int>()
    check(collected.toArray().map { $0[0] }) {
      collected.onNext(1)
      collected.onCompleted()
    }
    check(subject.materialize().map { _ in 1 }) { subject.onCompleted() }
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    check(.zip(a, b) { $0 + $1 }) {
      a.onNext(0)
      a.onCompleted()
      b.onNext(1)
    }
    let failing = PublishSubject<Int>()
    check(failing.catchAndReturn(1)) { failing.onError(TestError()) }
    let scheduler = TestScheduler()
    check(Observable.timer(.zero, scheduler: scheduler).map { $0 + 1 }) { scheduler.run() }
  }

  @Test func takesWhile() {
    let source = events([10: 1, 20: 2, 30: 3, 40: 1], completed: 50)
    #expect(
      outcome(of: source) { source, _ in source.take(while: { $0 < 3 }) } == events([10: 1, 20: 2], completed: 30))
    #expect(outcome(of: source) { source, _ in source.take(while: { _ in true }) } == source)
    // contract 1.7
    let subject = PublishSubject<Int>()
    let observer = subject.take(while: { _ in throw TestError() }).test()
    subject.onNext(1)
    #expect(observer.error is TestError)
    #expect(!subject.hasObservers)
  }

  @Test func takesTheElementThatEndsItToo() {
    let source = events([10: 1, 20: 2, 30: 3, 40: 1], completed: 50)
    #expect(
      outcome(of: source) { source, _ in source.take(while: { $0 < 3 }, inclusive: true) }
        == events([10: 1, 20: 2, 30: 3], completed: 30))
    #expect(outcome(of: source) { source, _ in source.take(while: { $0 < 9 }, inclusive: true) } == source)
    let subject = PublishSubject<Int>()
    let observer = subject.take(while: { _ in false }, inclusive: true).test()
    subject.onNext(1)
    #expect(observer.values == [1])
    #expect(!subject.hasObservers)
  }

  // contract 1: `take(until:)` goes on when the other source completes without an element
  @Test func takesUntil() {
    let source = events([10: 1, 20: 2, 30: 3], completed: 40)
    func outcome(_ other: [Recorded<String>]) -> [Recorded<Int>] {
      TestSupport.outcome(of: source) { $0.take(until: $1.coldObservable(other)) }
    }
    #expect(outcome(events([25: "x"])) == events([10: 1, 20: 2], completed: 25))
    #expect(outcome(events([:], completed: 15)) == source)
    #expect(outcome(events([:], error: 15)) == events([10: 1], error: 15))
    #expect(outcome(events([50: "x"])) == source)
  }

  @Test func takeUntilSubscribesToTheOtherFirstAndEndsBoth() {
    let (source, other) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = source.take(until: other).test()
    other.onNext(0)
    #expect(observer.isCompleted)
    #expect(!source.hasObservers)
    #expect(!other.hasObservers)
    let ended = source.take(until: other).test()
    source.onCompleted()
    #expect(ended.isCompleted)
    #expect(!other.hasObservers)
    let subscribed = Locked(0)
    let watched = Observable.just(1).do(onSubscribe: { subscribed.mutate { $0 += 1 } })
    #expect(watched.take(until: Observable.just(0)).test().events == [Recorded(.zero, .completed)])
    #expect(subscribed.value == 0)
  }

  @Test func skips() {
    let source = events([10: 1, 20: 2, 30: 3], completed: 40)
    #expect(outcome(of: source) { source, _ in source.skip(2) } == events([30: 3], completed: 40))
    #expect(outcome(of: source) { source, _ in source.skip(9) } == events([:], completed: 40))
    #expect(outcome(of: source) { source, _ in source.skip(0) } == source)
    let skipped = Observable.from(1...3).skip(1)
    #expect(skipped.test().values == [2, 3])
    #expect(skipped.test().values == [2, 3])
  }
}
