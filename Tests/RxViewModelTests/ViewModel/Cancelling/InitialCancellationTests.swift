import RxViewModel
import Testing

@testable import TestSupport

/// Requests a cancellation in `createInitialState`, with nothing to cancel.
private final class Canceller: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  let lifetimes: Lifetimes

  init(scheduler: any Scheduler, _ lifetimes: Lifetimes) {
    self.lifetimes = lifetimes
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int {
    let object = lifetimes.make()
    cancelActions { _ in
      object.touch()
      return true
    }
    return 0
  }

  override func createObservable(_ action: Int) -> Effect { .mutate { $0 += action } }
}

// contract 2.4, 2.11: a cancellation that is requested in `createInitialState` is handled when the initial state exists
@Suite struct InitialCancellationTests {
  @Test(arguments: [SchedulerKind.immediate, .hand])
  func thePredicateIsReleased(kind: SchedulerKind) {
    let (scheduler, lifetimes) = (kind.scheduler()!, Lifetimes())
    let canceller = Canceller(scheduler: scheduler, lifetimes)
    (scheduler as? HandScheduler)?.run()
    #expect(lifetimes.alive == 0)
    // The cancellation concerns only actions that were executed before it.
    canceller.execute(1)
    (scheduler as? HandScheduler)?.run()
    #expect(canceller.currentState == 1)
  }
}
