import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private typealias Action = Levels.Action

// contract 2.19, 1.10: a turn ends at most 1,024 actions of a child that has gone
@Suite struct ChildTurnTests {
  private static let (bound, count) = (1_024, 5_000)

  @Test func theActionsOfAChildThatGoesEndInSeveralTurns() {
    let scheduler = StepScheduler()
    let screen = Levels.Screen(Levels.editing(), scheduler: scheduler) { script in script.form = { _, _ in .never() } }
    for number in 0..<Self.count { screen.execute(.edit(.run("\(number)"))) }
    scheduler.runAll()
    let fates = screen.fates()
    screen.execute(.detail(.show(nil)))
    screen.execute(.run("later"))
    let counts = scheduler.changes { fates.values.count { $0.hasSuffix("cancelled") } }
    #expect(counts.allSatisfy { $0 <= Self.bound } && counts.count >= Self.count / Self.bound)
    // The ends precede the next action.
    let show = Action.detail(.show(nil))
    let cancelled = (0..<Self.count).map { "\(Action.edit(.run("\($0)"))) cancelled" }
    let later = ["\(Action.run("later")) started", "\(Action.run("later")) completed"]
    #expect(fates.values == ["\(show) started", "\(show) completed"] + cancelled + later)
  }
}

// contract 2.19: what follows an action
@Suite(.serialized, .stress) struct FollowerCostTests {
  @Test(.timeLimit(.minutes(3))) func theFollowersOfOneActionAreLinear() {
    expectGrowth(from: 2_000, below: 9) { count in
      let screen = Levels.Screen(Levels.editing()) { script in
        script.form = { _, context in
          Observable.from(0..<count).flatMap { number in
            Levels.FormEffect.empty().then(.set("\(number)"), on: context)
          }
        }
      }
      screen.execute(.edit(.run("all")))
      #expect(screen.currentState == Levels.editing("\(count - 1)"))
    }
  }
}
