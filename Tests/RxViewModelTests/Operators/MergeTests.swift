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

  // contract 1.2, from two threads
  @Test func anErrorFromAnotherThreadIsNotLost() async throws {
    let rounds = await race(
      times: 500,
      {
        let (a, b, recorder) = (PublishSubject<Int>(), PublishSubject<Int>(), Recorder<Int>())
        return (a: a, b: b, recorder: recorder, subscription: a.merge(with: b).subscribe(recorder))
      },
      { round in for number in 0..<10 { round.a.onNext(number) } },
      { round in
        round.b.onNext(100)
        round.b.onError(TestError())
      })
    for round in try #require(rounds) {
      #expect(round.recorder.elements.contains(100))
      #expect(round.recorder.end == "error")
      #expect(round.recorder.faults == [])
      #expect(!round.a.hasObservers)
    }
  }
}
