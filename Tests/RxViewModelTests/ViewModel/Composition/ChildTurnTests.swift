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
    let (cancelled, early) = (Locked<[String]>([]), Locked(0))
    let bag = DisposeBag()
    screen.executionObservable.subscribe(onNext: { execution in
      guard case .detail(.edit(.run(let name))) = execution.action else {
        if case .emitted = execution.phase, case .run = execution.action, cancelled.value.count < Self.count {
          early.mutate { $0 += 1 }
        }
        return
      }
      if case .cancelled = execution.phase { cancelled.mutate { $0.append(name) } }
    }).disposed(by: bag)
    for number in 0..<Self.count { screen.execute(.edit(.run("\(number)"))) }
    while !scheduler.isEmpty { scheduler.runNext() }
    screen.execute(.detail(.show(nil)))
    screen.execute(.run("later"))
    var counts: [Int] = []
    while !scheduler.isEmpty {
      let last = cancelled.value.count
      scheduler.runNext()
      counts.append(cancelled.value.count - last)
    }
    #expect(counts.allSatisfy { $0 <= Self.bound } && counts.count >= Self.count / Self.bound)
    #expect(cancelled.value == (0..<Self.count).map { "\($0)" })
    #expect(early.value == 0)
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
