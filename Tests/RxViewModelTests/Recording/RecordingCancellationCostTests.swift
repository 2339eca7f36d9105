import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

private final class Waits: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect { .never() }
}

// contract 1.10, 2.11, 9.2: a request to cancel is O(n log n) for n unfinished actions, with a recorder and for the player too
@Suite(.serialized, .stress) struct RecordingCancellationCostTests {
  // The ratio is about 4.5 for n log n, and 16 for quadratic work.
  @Test(arguments: [false, true]) func cancellingWaitingActionsIsLinear(isRecorded: Bool) {
    expectGrowth(from: 2_000, below: 9) { count in
      let (scheduler, recorder) = (HandScheduler(), RxViewModelRecording.Recorder(limit: 10))
      let waits = isRecorded ? recorder.record { Waits(scheduler: scheduler) } : Waits(scheduler: scheduler)
      for number in 0..<count { waits.execute(number) }
      waits.cancelActions { _ in true }
      scheduler.run()
      waits.clear()
    }
  }

  @Test func cancellingByNumberIsLinear() {
    expectGrowth(from: 2_000, below: 9) { count in
      let scheduler = HandScheduler()
      let waits = Waits(scheduler: scheduler)
      for number in 0..<count { waits.execute(number) }
      scheduler.run()
      waits.cancelActions(Set((1...count).map { UInt64($0) }))
      scheduler.run()
      waits.clear()
    }
  }
}
