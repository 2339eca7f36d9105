import RxViewModel
import Testing

@testable import TestSupport

/// Action 0 never ends. Action -1 calls the test's closure while another action waits for its turn.
private final class Accepting: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  let work: @Sendable (Accepting) -> Void

  init(scheduler: any Scheduler, _ work: @escaping @Sendable (Accepting) -> Void) {
    self.work = work
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    if action == -1 { work(self) }
    return action == 0 ? .never() : .unchanged()
  }
}

// contract 2.11: cancelling one `perform` is O(1), whatever else is queued
@Suite(.stress, .serialized) struct CancellationBesideInputsTests {
  /// The processor time from the request to the report of a cancellation, while `count` actions are queued that were accepted since the
  /// turn began.
  private static func cost(beside count: Int) async -> Double {
    let (scheduler, bag, started) = (HandScheduler(), DisposeBag(), Signal())
    let (start, end) = (Locked(0.0), Locked(0.0))
    let task = Locked<Task<Int, any Error>?>(nil)
    let accepting = Accepting(scheduler: scheduler) { accepting in
      for _ in 0..<count { accepting.execute(-2) }
      start.mutate { $0 = processorTime() }
      task.value!.cancel()
    }
    accepting.executionObservable.subscribe(onNext: { execution in
      switch execution.phase {
      case .started where execution.action == 0: started.fire()
      case .cancelled: end.mutate { $0 = processorTime() }
      default: break
      }
    }).disposed(by: bag)
    task.mutate { $0 = Task { try await accepting.perform(0) } }
    await onThread {
      #expect(scheduler.scheduled.wait())
      scheduler.run()
      #expect(started.wait())
      accepting.execute(-1)
      accepting.execute(-2)
      scheduler.run()
    }
    _ = try? await task.value!.value
    bag.dispose()
    return end.value - start.value
  }

  // This test does not use `CostComparison`, which measures for a tenth of a second: one cancellation takes microseconds, and its setup
  // takes a thousand times as long.
  @Test func cancellingOnePerformCostsTheSameHoweverManyActionsAreQueued() async {
    let bound = 6.0
    var (small, large, rounds) = (Double.infinity, Double.infinity, 0)
    while rounds < 5 || rounds < 20 && large / small >= bound {
      small = min(small, await Self.cost(beside: 100))
      large = min(large, await Self.cost(beside: 10_000))
      rounds += 1
    }
    #expect(large / small < bound)
  }
}
