import RxViewModel
import Testing

@testable import TestSupport

/// Two threads use the same subscription at the same time.
@Suite(.stress, .serialized) struct RaceTests {
  private struct Round: Sendable {
    let source: Source
    let recorder: Recorder<Int>
    let subscription: any Disposable
    let lifetimes: Lifetimes
  }

  private func makeRound(_ operation: OperatorCase, _ kind: SourceCase) -> Round {
    let (source, recorder, lifetimes) = (kind.make(), Recorder<Int>(), Lifetimes())
    let object = lifetimes.make()
    let subscription = operation.apply(source.stream, object).subscribe { event in
      object.touch()
      recorder.on(event)
    }
    return Round(source: source, recorder: recorder, subscription: subscription, lifetimes: lifetimes)
  }

  // contract 1.2: elements come one at a time, none is dropped, and those of each thread keep their order
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func twoSenders(to operation: OperatorCase, of kind: SourceCase) async throws {
    let rounds = await race(
      times: 4, { makeRound(operation, kind) },
      { round in for number in 0..<100 { round.source.send(number) } },
      { round in for number in 1_000..<1_100 { round.source.send(number) } })
    for round in try #require(rounds) {
      let sent = round.recorder.sent
      #expect(sent.count == 200)
      #expect(sent.filter { $0 < 1_000 } == Array(0..<100))
      #expect(sent.filter { $0 >= 1_000 } == Array(1_000..<1_100))
      #expect(round.recorder.faults == [])
      round.subscription.dispose()
    }
  }

  // contract 1.4: the subscriber gets the first elements and then nothing, and nothing is retained
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func sendingAndDisposing(_ operation: OperatorCase, of kind: SourceCase) async throws {
    let rounds = await race(
      times: 25, { makeRound(operation, kind) },
      { round in for number in 0..<10 { round.source.send(number) } },
      { round in round.subscription.dispose() })
    for round in try #require(rounds) {
      let sent = round.recorder.sent
      #expect(sent == Array(0..<sent.count))
      #expect(round.lifetimes.alive == 0)
      round.source.send(99)
      #expect(round.recorder.sent == sent)
      #expect(round.recorder.faults == [])
    }
  }

  // contract 1.1: one terminal event, nothing after it, and nothing is retained
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func sendingAndEnding(_ operation: OperatorCase, of kind: SourceCase) async throws {
    let rounds = await race(
      times: 25, { makeRound(operation, kind) },
      { round in
        for number in 0..<5 { round.source.send(number) }
        round.source.send(.completed)
      },
      { round in
        round.source.send(100)
        round.source.send(.error(TestError()))
        round.source.send(.completed)
      })
    for round in try #require(rounds) {
      #expect(round.recorder.end == "error" || round.recorder.sent.filter { $0 < 100 } == [0, 1, 2, 3, 4])
      #expect(round.recorder.end == "completed" || round.recorder.sent.contains(100))
      #expect(round.recorder.end != nil)
      #expect(round.recorder.faults == [])
      #expect(round.lifetimes.alive == 0)
    }
  }

  // contract 1.5: a subscriber that subscribes while another thread sends sees no gap, no duplicate and no inversion
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func sendingAndSubscribing(_ operation: OperatorCase, of kind: SourceCase) async throws {
    struct Churn: Sendable {
      let source: Source
      let lifetimes = Lifetimes()
      let recorders = Locked<[Recorder<Int>]>([])
    }
    let rounds = await race(
      times: 6, { Churn(source: kind.make()) },
      { churn in for number in 0..<60 { churn.source.send(number) } },
      { churn in
        for _ in 0..<6 {
          let (recorder, object) = (Recorder<Int>(), churn.lifetimes.make())
          let subscription = operation.apply(churn.source.stream, object).subscribe { event in
            object.touch()
            recorder.on(event)
          }
          while let last = recorder.sent.last, last < 10 {}
          churn.recorders.mutate { $0.append(recorder) }
          subscription.dispose()
        }
      })
    for churn in try #require(rounds) {
      #expect(churn.lifetimes.alive == 0)
      for recorder in churn.recorders.value {
        let sent = recorder.sent
        if operation.supersedes {
          #expect(zip(sent, sent.dropFirst()).allSatisfy { $0 < $1 })
        } else {
          #expect(sent == Array((sent.first ?? 0)..<((sent.first ?? 0) + sent.count)))
        }
        #expect(recorder.faults == [])
      }
    }
  }
}
