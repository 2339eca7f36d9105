import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite(.stress) struct OperatorRaceTests {
  // contract 1.2: the last combination has the last elements of both sources
  @Test func combineLatestEndsWithTheLatestOfBoth() async {
    for _ in 0..<200 {
      let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
      let observer = Observable.combineLatest(a, b) { [$0, $1] }.test()
      await race(threads: 2) { thread in
        for number in 1...100 { (thread == 0 ? a : b).onNext(number) }
      }
      #expect(observer.lastValue == [100, 100])
    }
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

  // contract 1.5, 1.8: no gap, no duplicate, no inversion while another thread sends, and one connection for two subscribers. The sending
  // thread may dispose the old connection while the subscribing thread makes the next.
  @Test func subscribersComeAndGoWhileAnotherThreadSends() async throws {
    struct Round: Sendable {
      let subject = PublishSubject<Int>()
      let connected = Locked(0)
      let connects = Locked(0)
      let recorders = Locked<[Recorder<Int>]>([])
    }
    let rounds = await race(
      times: 20, { Round() },
      { round in for number in 0..<200 { round.subject.onNext(number) } },
      { round in
        let shared = round.subject.do(
          onSubscribe: {
            round.connected.mutate { $0 += 1 }
            round.connects.mutate { $0 += 1 }
          }, onDispose: { round.connected.mutate { $0 -= 1 } }
        ).share(replay: 1)
        for _ in 0..<10 {
          let (a, b) = (Recorder<Int>(), Recorder<Int>())
          let first = shared.subscribe(a)
          let second = shared.subscribe(b)
          first.dispose()
          second.dispose()
          round.recorders.mutate { $0 += [a, b] }
        }
      })
    for round in try #require(rounds) {
      #expect(round.connects.value == 10)
      #expect(round.connected.value == 0)
      #expect(!round.subject.hasObservers)
      for recorder in round.recorders.value {
        let sent = recorder.sent
        #expect(sent == Array((sent.first ?? 0)..<((sent.first ?? 0) + sent.count)))
        #expect(recorder.faults == [])
      }
    }
  }
}
