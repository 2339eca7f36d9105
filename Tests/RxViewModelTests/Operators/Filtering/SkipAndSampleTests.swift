import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct SkipAndSampleTests {
  private let source = events([10: 1, 20: 2, 30: 3, 40: 1], completed: 50)

  @Test func takesTheElementThatEndsItToo() {
    #expect(
      outcome(of: source) { source, _ in source.take(while: { $0 < 3 }, inclusive: true) }
        == events([10: 1, 20: 2, 30: 3], completed: 30))
    #expect(
      outcome(of: source) { source, _ in source.take(while: { $0 < 3 }, inclusive: false) }
        == events([10: 1, 20: 2], completed: 30))
    #expect(outcome(of: source) { source, _ in source.take(while: { $0 < 9 }, inclusive: true) } == source)
    let subject = PublishSubject<Int>()
    let observer = subject.take(while: { _ in false }, inclusive: true).test()
    subject.onNext(1)
    #expect(observer.values == [1])
    #expect(!subject.hasObservers)
  }

  @Test func skipsWhile() {
    let calls = Locked(0)
    let skipping: @Sendable (Int) -> Bool = { number in
      calls.mutate { $0 += 1 }
      return number < 3
    }
    #expect(
      outcome(of: source) { source, _ in source.skip(while: skipping) } == events([30: 3, 40: 1], completed: 50))
    #expect(calls.value == 3)
    #expect(outcome(of: source) { source, _ in source.skip(while: { _ in true }) } == events([:], completed: 50))
    #expect(Observable.of(1).skip(while: { _ in throw TestError() }).test().error is TestError)
  }

  @Test func skipsUntil() {
    #expect(
      outcome(of: source) { source, scheduler in
        source.skip(until: scheduler.coldObservable(events([25: "x", 35: "y"], error: 45)))
      } == events([30: 3, 40: 1], completed: 50))
    // If the other source completes without an element, no element passes. If it fails, the stream fails.
    #expect(
      outcome(of: source) { source, _ in source.skip(until: Observable<Int>.empty()) } == events([:], completed: 50))
    #expect(
      outcome(of: source) { source, scheduler in
        source.skip(until: scheduler.coldObservable(events([:], error: 15) as [Recorded<Int>]))
      } == events([:], error: 15))
    #expect(outcome(of: source) { source, _ in source.skip(until: Observable.just(0)) } == source)
  }

  @Test func theOtherSourceIsDisposedAfterItsFirstElement() {
    let (subject, other) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = subject.skip(until: other).test()
    other.onNext(1)
    #expect(!other.hasObservers)
    subject.onNext(2)
    #expect(observer.values == [2])
    observer.dispose()
    #expect(!subject.hasObservers)
  }

  @Test func samplesTheLatest() {
    #expect(
      outcome(of: source) { source, scheduler in
        source.sample(scheduler.coldObservable(events([5: 0, 25: 0, 27: 0, 45: 0, 60: 0])))
      } == events([25: 2, 45: 1], completed: 60))
  }

  @Test func samplesThePendingElementAtTheSamplersCompletion() {
    #expect(
      outcome(of: source) { source, scheduler in
        source.sample(scheduler.coldObservable(events([:], completed: 25) as [Recorded<Int>]))
      } == events([25: 2], completed: 50))
    #expect(
      outcome(of: source) { source, scheduler in
        source.sample(scheduler.coldObservable(events([:], completed: 60) as [Recorded<Int>]))
      } == events([60: 1], completed: 60))
  }

  @Test(arguments: [true, false])
  func anErrorOfEitherEndsTheSampling(isOfTheSampler: Bool) {
    let (subject, sampler) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = subject.sample(sampler).test()
    subject.onNext(1)
    (isOfTheSampler ? sampler : subject).onError(TestError())
    #expect(observer.values.isEmpty)
    #expect(observer.error is TestError)
    #expect(!subject.hasObservers && !sampler.hasObservers)
  }

  // contract 1.4: a dispose from inside the last element's callback cuts off the completion
  @Test func disposingFromInsideTheLastSample() {
    let (subject, sampler, serial, recorder) = (
      PublishSubject<Int>(), PublishSubject<Int>(), SerialDisposable(), Recorder<Int>()
    )
    serial.replace(
      with: subject.sample(sampler).subscribe { event in
        recorder.on(event)
        serial.dispose()
      })
    subject.onNext(1)
    subject.onCompleted()
    sampler.onNext(0)
    #expect(recorder.elements == [1])
    #expect(recorder.end == nil)
    #expect(!sampler.hasObservers)
  }
}
