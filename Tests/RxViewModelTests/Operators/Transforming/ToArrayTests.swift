import RxViewModel
import RxViewModelTesting
import Testing

/// `reduce`, `toArray`, `takeLast`, `ifEmpty`, `buffer`
@Suite struct CollectTests {
  private let source = events([10: 1, 20: 2, 30: 3], completed: 40)

  @Test func aResultComesWithTheCompletion() {
    #expect(outcome(of: source) { source, _ in source.reduce(10, +) } == events([40: 16], completed: 40))
    #expect(outcome(of: source) { source, _ in source.toArray() } == events([40: [1, 2, 3]], completed: 40))
    #expect(outcome(of: source) { source, _ in source.takeLast(2) } == events([40: 2, 40: 3], completed: 40))
    #expect(outcome(of: source) { source, _ in source.takeLast(5) } == events([40: 1, 40: 2, 40: 3], completed: 40))
    #expect(outcome(of: source) { source, _ in source.ifEmpty(default: 9) } == source)
    #expect(
      outcome(of: source) { source, _ in source.buffer(count: 2) } == events([20: [1, 2], 40: [3]], completed: 40))
  }

  @Test func anEmptySource() {
    let empty: [Recorded<Int>] = events([:], completed: 5)
    #expect(outcome(of: empty) { source, _ in source.reduce(10, +) } == events([5: 10], completed: 5))
    #expect(outcome(of: empty) { source, _ in source.toArray() } == events([5: []], completed: 5))
    #expect(outcome(of: empty) { source, _ in source.takeLast(2) } == empty)
    #expect(outcome(of: empty) { source, _ in source.ifEmpty(default: 9) } == events([5: 9], completed: 5))
    #expect(outcome(of: empty) { source, _ in source.buffer(count: 2) } == events([:], completed: 5))
  }

  @Test func anErrorDropsTheCollectedElements() {
    let failing = events([10: 1], error: 20)
    #expect(outcome(of: failing) { source, _ in source.reduce(10, +) } == events([:], error: 20))
    #expect(outcome(of: failing) { source, _ in source.toArray() } == events([:], error: 20))
    #expect(outcome(of: failing) { source, _ in source.takeLast(2) } == events([:], error: 20))
    #expect(outcome(of: failing) { source, _ in source.buffer(count: 2) } == events([:], error: 20))
    #expect(outcome(of: events([:], error: 20)) { source, _ in source.ifEmpty(default: 9) } == events([:], error: 20))
  }

  // contract 1: a negative count counts as 0, as in `take` and `skip`
  @Test(arguments: [0, -1, Int.min])
  func takeLastOfNothingIsEmpty(count: Int) {
    #expect(outcome(of: source) { source, _ in source.takeLast(count) } == events([:], completed: 40))
  }

  // contract 1.7
  @Test func aClosureThatThrowsEndsTheStreamAndTheSource() {
    let subject = PublishSubject<Int>()
    let observer = subject.reduce(0) { _, _ in throw TestError() }.test()
    subject.onNext(1)
    #expect(observer.error is TestError)
    #expect(!subject.hasObservers)
  }

  // contract 1.8
  @Test func eachSubscriptionStartsAfresh() {
    for stream in [Observable.of(1, 2).reduce(0, +), Observable.of(1, 2).toArray().map { $0.reduce(0, +) }] {
      #expect(stream.test().values == [3])
      #expect(stream.test().values == [3])
    }
  }

  // contract 1.4: a dispose inside the callback of an element cuts off the rest
  @Test func disposingFromInsideTheLastElement() {
    let streams: [Observable<Int>] = [
      Observable.of(1, 2).takeLast(2), Observable.of(1).reduce(0, +), Observable<Int>.empty().ifEmpty(default: 1),
      Observable.of(1, 2).buffer(count: 5).map { $0[0] }, Observable.of(1).toArray().map { $0[0] },
      Observable.of(1).take(while: { _ in false }, inclusive: true),
    ]
    for stream in streams {
      let (start, serial, recorder) = (PublishSubject<Int>(), SerialDisposable(), Recorder<Int>())
      serial.replace(
        with: start.concat(stream).subscribe { event in
          recorder.on(event)
          serial.dispose()
        })
      start.onCompleted()
      #expect(recorder.elements == [1])
      #expect(recorder.end == nil)
    }
  }

  @Test func takeCutsOffTheLastElements() {
    #expect(Observable.from(1...10).takeLast(5).take(2).test().events.count == 3)
    #expect(Observable.from(1...10).takeLast(5).take(2).test().values == [6, 7])
  }
}
