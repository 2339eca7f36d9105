import Testing

@testable import RxViewModel

// contract 1.10: the cost of one turn is bounded, however many actions are unfinished
@Suite(.serialized, .stress) struct LaneCostTests {
  enum Last: CaseIterable {
    case runs, waits
  }

  // The end of a turn asks a lane whether one of its actions is ready. The ratio is 4 for an answer at once, 16 for a walk over the lane.
  @Test(arguments: Last.allCases) func aLaneOfRunningActionsKnowsAtOnceWhetherOneIsReady(last: Last) {
    expectGrowth(from: 5_000, below: 9) { count in
      let lane = ActionLane<Int, Int>(.ordered(of: nil))
      let runs = (0..<count).map { ActionRun<Int, Int>(0, id: UInt64($0), mode: .parallelOrdered) }
      for run in runs {
        run.stage = .started
        lane.append(run)
      }
      if last == .waits { (runs[count - 1].mode, runs[count - 1].stage) = (.sequence, .waiting) }
      var answers = 0
      for _ in 0..<count where lane.isReady { answers += 1 }
      #expect(answers == 0)
      withExtendedLifetime(runs) {}
    }
  }

  // Each turn that cannot end all actions asks whether one waits for its turn only. The ratio is 4 if it asks the lane, 16 if all its ends.
  @Test func aTurnAsksTheLaneOfManyEndsOnce() {
    expectGrowth(from: 2_000, below: 9) { count in
      var machine = Machine<Int, Int>()
      let runs = (0..<count).map { ActionRun<Int, Int>(0, id: UInt64($0), mode: .parallelOrdered) }
      for run in runs {
        _ = machine.admit(run)
        machine.end(run, .cancelled)
      }
      var answers = 0
      for _ in 0..<count where machine.keepsAlive { answers += 1 }
      #expect(answers == 0)
    }
  }
}
