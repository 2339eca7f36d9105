import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct MergeTests {
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
    #expect(recorder.elements == [1, 2])
    #expect(recorder.end == "error")
    #expect(recorder.faults == [])
    #expect(!a.hasObservers)
    #expect(!b.hasObservers)
    subscription.dispose()
  }

  @Test func mergeAndConcat() {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let merged = a.merge(with: b).test()
    let joined = a.concat(b.asObservable()).test()
    a.onNext(1)
    b.onNext(2)
    a.onCompleted()
    b.onNext(3)
    b.onCompleted()
    #expect(merged.values == [1, 2, 3])
    #expect(merged.isCompleted)
    #expect(joined.values == [1, 3])
    #expect(joined.isCompleted)
    #expect(Observable<Int>.merge([]).test().isCompleted)
    #expect(Observable<Int>.concat([]).test().isCompleted)
  }

  @Test func anErrorEndsMergeAndTheOtherSubscriptions() {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let merged = Observable.merge([a.asObservable(), b.asObservable()]).test()
    a.onError(TestError())
    #expect(merged.error as? TestError == TestError())
    #expect(!b.hasObservers)
  }

  // contract 1.2: an end that comes during a delivery waits its turn, and is not lost
  @Test(arguments: [true, false])
  func mergeEndsFromInsideItsCallback(isError: Bool) {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = Observable.merge([a.asObservable(), b.asObservable()]).do(onNext: { number in
      guard number == 1 else { return }
      b.onNext(2)
      if isError { b.onError(TestError()) } else { b.onCompleted() }
      a.onCompleted()
    }).test()
    a.onNext(1)
    #expect(observer.values == [1, 2])
    #expect(observer.isCompleted != isError)
    #expect((observer.error != nil) == isError)
    #expect(!a.hasObservers)
    #expect(!b.hasObservers)
  }

  // contract 1.4: an error of one source cuts off the elements that another has not yet replayed
  @Test func anEndCutsOffAReplay() {
    let (replay, stop) = (ReplaySubject<Int>(bufferSize: 10), PublishSubject<Int>())
    (1...10).forEach(replay.onNext)
    let passed = Locked(0)
    let observer = Observable.merge([
      stop.asObservable(), replay.do(onNext: { _ in passed.mutate { $0 += 1 } }),
    ])
    .do(onNext: { if $0 == 3 { stop.onError(TestError()) } }).test()
    #expect(observer.values == [1, 2, 3])
    #expect(passed.value == 3)
    #expect(!replay.hasObservers)
  }
}
