import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.13
struct ScopeTests {
  private let scheduler = TestScheduler()
  private let bag = DisposeBag()

  @Test func anActionInAScopeThatIsOverIsNotExecuted() {
    let screen = ResumedScreen(scheduler: scheduler)
    let phases = screen.steps()
    screen.didResume()
    screen.didPause()
    scheduler.run()
    screen.execute(Step("a"), in: screen.scopes.value[0])
    scheduler.run()
    #expect(phases.values == [])
  }

  @Test func theLaneGoesOnInTheTurnOfThePause() {
    let screen = ResumedScreen(scheduler: scheduler) { screen, scope in
      screen.execute(Step("a", on: Observable<Int>.never()), mode: .sequence("x"), in: scope)
    }
    let phases = screen.steps()
    screen.didResume()
    screen.execute(Step("b"), mode: .sequence("x"))
    scheduler.run()
    #expect(phases.values == ["b started", "b emitted", "b completed", "a started"])
    screen.execute(Step("c"), mode: .sequence("x"))
    scheduler.run()
    screen.didPause()
    screen.execute(Step("d"))
    scheduler.run()
    #expect(
      phases.values.dropFirst(4) == [
        "c waiting", "a cancelled", "c started", "c emitted", "c completed", "d started", "d emitted", "d completed",
      ])
  }

  // The bag can be used again, and its release cancels, too.
  @Test func aBagCancelsItsActionsOfAllViewModels() {
    let screens = (0..<2).map { _ in Screen(scheduler: scheduler) }
    let (ends, outside) = (screens.map { $0.ends() }, PublishSubject<Int>())
    screens[0].execute(Step("outside", on: outside))
    var bag: DisposeBag? = DisposeBag()
    for (number, end) in ([{ bag?.dispose() }, { bag = nil }] as [() -> Void]).enumerated() {
      for screen in screens { screen.execute(Step("\(number)") { .never() }, in: bag!) }
      scheduler.run()
      end()
      scheduler.run()
    }
    #expect(ends.map(\.values) == Array(repeating: ["0 cancelled", "1 cancelled"], count: 2))
    #expect(outside.hasObservers)
    screens[0].clear()
  }

  @Test(arguments: ["cleared", "released"])
  func aBagThatOutlivesTheViewModelKeepsNothingOfIt(_ end: String) {
    let lifetimes = Lifetimes()
    var screen: Screen? = Screen(scheduler: scheduler)
    let step = { (name: String) -> Step in
      let object = lifetimes.make()
      return Step(name) {
        object.touch()
        return .never()
      }
    }
    screen!.execute(step("running"), in: bag)
    scheduler.run()
    screen!.execute(step("queued"), in: bag)
    #expect(lifetimes.alive == 2)
    if end == "cleared" {
      screen!.clear()
      // A refused action leaves nothing in the bag.
      screen!.execute(step("late"), in: bag)
    } else {
      scheduler.run()
      screen = nil
    }
    scheduler.run()
    #expect(lifetimes.alive == 0)
    bag.dispose()
  }

  @Test func oneBagServesManyViewModelsInTurn() {
    // Each new engine may have the address of the one before.
    for number in 0..<100 {
      let screen = Screen(scheduler: scheduler)
      screen.execute(Step("\(number)"), in: bag)
      scheduler.run()
      #expect(screen.currentState == ["\(number)"])
    }
  }

  @Test func actionsThatHaveEndedLeaveTheBag() {
    let (screen, lifetimes) = (Screen(scheduler: ImmediateScheduler()), Lifetimes())
    for _ in 0..<1_000 {
      let object = lifetimes.make()
      screen.execute(
        Step("") {
          object.touch()
          return .mutate { _ in }
        }, in: bag)
    }
    // The state and the spare run of the engine may keep the last one.
    #expect(lifetimes.alive <= 1)
  }
}

@Suite(.stress, .ownThread) struct ScopeCostTests {
  // The bag has one entry for a view model, however many of its actions have ended.
  @Test func theLastActionCostsAsMuchAsTheFirst() {
    expectGrowth(from: 5_000, below: 9) { count in
      let (screen, bag) = (Screen(scheduler: ImmediateScheduler()), DisposeBag())
      for _ in 0..<count { screen.execute(Step("") { .mutate { _ in } }, in: bag) }
    }
  }

  @Test func aPauseTakesOnePassOverTheUnfinishedActions() {
    // The ratio is 4 for linear work, and 16 for quadratic work.
    expectGrowth(from: 1_000, below: 9) { count in
      let screen = ResumedScreen(scheduler: ImmediateScheduler()) { screen, scope in
        for _ in 0..<count { screen.execute(Step("in", on: Observable<Int>.never()), in: scope) }
      }
      for _ in 0..<(count * 3) { screen.execute(Step("out", on: Observable<Int>.never())) }
      screen.didResume()
      screen.didPause()
      screen.clear()
    }
  }

  // Each bag cancels its own actions, and looks at no others.
  @Test func manyBagsEndBesideManyActions() {
    expectGrowth(from: 500, below: 9) { count in
      let screen = Screen(scheduler: TestScheduler())
      let bags = (0..<count).map { _ in DisposeBag() }
      for _ in 0..<(count * 3) { screen.execute(Step("out") { .mutate { _ in } }) }
      for bag in bags { screen.execute(Step("in") { .mutate { _ in } }, in: bag) }
      for bag in bags { bag.dispose() }
      screen.clear()
    }
  }
}
