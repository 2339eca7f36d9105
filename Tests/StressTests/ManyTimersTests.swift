import Dispatch
import RxViewModel
import Testing

@testable import TestSupport

// contract 1: timers of a dispatch queue
@Suite(.stress, .ownThread, .serialized) struct ManyTimersTests {
  @Test func aHundredThousandTimersRun() async {
    let (queue, ran, done) = (DispatchQueue(label: "timers"), Locked(0), Signal())
    for number in 0..<100_000 {
      _ = queue.schedule(after: .milliseconds(number % 50)) {
        if ran.mutate({
          $0 += 1
          return $0 == 100_000
        }) {
          done.fire()
        }
      }
    }
    #expect(await onThread { done.wait() })
    #expect(ran.value == 100_000)
  }

  @Test func timersAreDisposedWhileTheyRun() async throws {
    let rounds = await race(
      times: 300, { (queue: DispatchQueue(label: "timers"), ran: Locked(0), timers: Locked<[any Disposable]>([])) },
      { round in
        for delay in 0..<20 {
          let timer = round.queue.schedule(after: .microseconds(delay * 10)) { round.ran.mutate { $0 += 1 } }
          round.timers.mutate { $0.append(timer) }
        }
        round.queue.sync {}
      },
      { round in
        while round.timers.value.count < 20 {}
        for timer in round.timers.value { timer.dispose() }
        let ran = round.queue.sync { round.ran.value }
        // No timer runs after its dispose.
        round.queue.sync {}
        if round.ran.value != ran { round.ran.mutate { $0 = -1 } }
      })
    for round in try #require(rounds) { #expect((0...20).contains(round.ran.value)) }
  }
}
