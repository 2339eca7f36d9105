import RxViewModel
import Testing

@testable import TestSupport

// contract 1.9, 1.10: the cost of one step is bounded, however many actions are unfinished
@Suite(.serialized, .stress) struct LaneCostTests {
  enum Last: CaseIterable {
    case runs, waits
  }

  // The end of an action asks its lane whether the next may start. The ratio is 4 for an answer at once, 16 for a walk over the lane.
  @Test(arguments: Last.allCases) func theEndOfAnActionCostsTheSameInALongLane(last: Last) {
    expectGrowth(from: 5_000, below: 9) { count in
      let hand = HandScheduler()
      let gates = (0..<count).map { _ in PublishSubject<StateMapper<Int>>() }
      let viewModel = ClosureViewModel<Int, Int>(0, scheduler: hand) { _, action in gates[action].asObservable() }
      for action in 0..<count {
        viewModel.execute(action, mode: last == .waits && action == count - 1 ? .parallelDeferred : .parallelOrdered)
      }
      hand.run()
      for gate in gates {
        gate.onCompleted()
        hand.run()
      }
      #expect(viewModel.unfinishedActions?.isEmpty == true)
    }
  }

  // An action that joins another one looks for it from the front of its lane, and so does its end.
  @Test(arguments: [false, true]) func joiningCostsTheSameInALongLane(isCancelled: Bool) {
    expectGrowth(from: 2_000, below: 9) { count in
      let (hand, gate) = (HandScheduler(), PublishSubject<StateMapper<Int>>())
      let viewModel = ClosureViewModel<Int, Int>(0, scheduler: hand) { _, _ in gate.asObservable() }
      for action in 0..<count { viewModel.execute(action, mode: .join("all")) }
      hand.run()
      if isCancelled { viewModel.cancelActions { _ in true } } else { gate.onCompleted() }
      hand.run()
      #expect(viewModel.unfinishedActions?.isEmpty == true)
    }
  }
}
