import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

// contract 1: a disposed timer is released at once, with everything that it retains, and not at its deadline
@Suite(.stress, .ownThread, .serialized) struct ManyTimersTests {
  #if os(Linux)
    // Each test measures in a process of its own, so that the allocations of other tests do not count.
    @Test func disposedTimersTakeNoMemory() async {
      await #expect(processExitsWith: .success) {
        let queue = DispatchQueue(label: "timers")
        queue.schedule(after: .seconds(3600)) {}.dispose()
        let bytes = allocation {
          for _ in 0..<200_000 { queue.schedule(after: .seconds(3600)) {}.dispose() }
        }
        #expect(bytes < 1 << 20)
      }
    }

    @Test func aTimeoutOverManyElementsTakesNoMemory() async {
      await #expect(processExitsWith: .success) {
        let bytes = allocation {
          let (subject, queue) = (PublishSubject<Int>(), DispatchQueue(label: "timers"))
          let subscription = subject.timeout(.seconds(3600), scheduler: queue).subscribe { _ in }
          for number in 0..<100_000 { subject.onNext(number) }
          subscription.dispose()
        }
        #expect(bytes < 1 << 20)
      }
    }

    @Test func manyTimersReleaseTheirMemoryInAnyOrderOfDisposal() async {
      await #expect(processExitsWith: .success) {
        let queue = DispatchQueue(label: "timers")
        let bytes = allocation {
          var random = SplitMix64(seed: 1)
          var timers = (0..<100_000).map { _ in
            queue.schedule(after: .seconds(Int.random(in: 3600...7200, using: &random))) {}
          }
          timers.shuffle(using: &random)
          for timer in timers { timer.dispose() }
        }
        #expect(bytes < 1 << 20)
      }
    }
  #endif

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
