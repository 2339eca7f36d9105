import RxViewModel
import Testing

@testable import TestSupport

/// The effect of each action ends when its gate does.
private final class Gates: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores only a `let`.
  let gates: [PublishSubject<StateMapper<Int>>]

  init(_ count: Int, scheduler: any Scheduler) {
    gates = (0..<count).map { _ in PublishSubject() }
    super.init(initialState: 0, scheduler: scheduler)
  }

  override func createObservable(_ action: Int) -> Effect { gates[action].asObservable() }
}

// contract 1.9, 1.10: the cost of one step is bounded, however many actions are unfinished
@Suite(.serialized, .stress) struct LaneCostTests {
  enum Last: CaseIterable {
    case runs, waits
  }

  // The end of an action asks its lane whether the next may start. The ratio is 4 for an answer at once, 16 for a walk over the lane.
  @Test(arguments: Last.allCases) func theEndOfAnActionCostsTheSameInALongLane(last: Last) {
    expectGrowth(from: 5_000, below: 9) { count in
      let hand = HandScheduler()
      let viewModel = Gates(count, scheduler: hand)
      for action in 0..<count {
        viewModel.execute(action, mode: last == .waits && action == count - 1 ? .parallelDeferred : .parallelOrdered)
      }
      hand.run()
      for gate in viewModel.gates {
        gate.onCompleted()
        hand.run()
      }
      #expect(viewModel.unfinishedActions?.isEmpty == true)
    }
  }
}
