import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct MergeTests {
  // contract 1.2: an error that comes while another source's element is being delivered waits, and is not dropped
  @Test func anErrorInsideACallbackComesAfterWhatWasSentBeforeIt() {
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
}
