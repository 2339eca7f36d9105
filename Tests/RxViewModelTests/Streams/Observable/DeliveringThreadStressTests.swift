import RxViewModel
import Testing

@testable import TestSupport

/// The claims of ``DeliveringThreadTests``, with more events.
@Suite(.stress) struct DeliveringThreadStressTests {
  // contract 1.6
  @Test(arguments: Stream.hot)
  func aThreadDeliversAHundredThousandEventsOfItsOwn(stream: Stream) async {
    await DeliveringThreadTests.deliverItsOwnChain(of: 100_000, through: stream)
  }

  // contract 1.10
  @Test(arguments: Stream.hot)
  func everythingIsDeliveredWhenTheLastCallHasReturned(stream: Stream) async {
    await DeliveringThreadTests.deliverEverything(3_000, through: stream)
  }

  // contract 1.10
  @Test(arguments: OwnWorkTests.Case.all)
  func twentyThousandElementsFollowAnEndOnTheThreadThatEnds(through operation: OwnWorkTests.Case) async {
    await OwnWorkTests.endTheGate(of: 20_000, through: operation)
  }

  // contract 1.5, 1.6
  @Test(.ownThread) func aReplayDeliversAHundredThousandEventsOfItsOwn() {
    let (subject, last) = (BehaviorSubject(value: 0), Locked(0))
    let subscription = subject.subscribe(onNext: { number in
      last.mutate { $0 = number }
      if number < 100_000 { subject.onNext(number + 1) }
    })
    #expect(last.value == 100_000)
    subscription.dispose()
  }

  // contract 1.5: two threads subscribe beside a sender
  @Test func replaysStayAtomicBesideASender() async {
    let (subject, observers) = (BehaviorSubject(value: 0), Locked<[Recorder<Int>]>([]))
    await race(threads: 3) { thread in
      if thread == 0 {
        for number in 1...50_000 { subject.onNext(number) }
      } else {
        for _ in 0..<20 {
          let recorder = Recorder<Int>()
          observers.mutate { $0.append(recorder) }
          _ = subject.subscribe(recorder)
        }
      }
    }
    subject.onCompleted()
    for recorder in observers.value {
      guard let first = recorder.elements.first else { continue }
      #expect(recorder.elements == Array(first...50_000))
      #expect(recorder.end == "completed")
      #expect(recorder.faults == [])
    }
  }
}
