import RxViewModel
import RxViewModelTesting
import Testing

// contract 2.3, 2.5: when a mapper is folded
@Suite struct FoldTests {
  /// Where the action's own first mapper has not been called yet.
  private static let beforeTheFold: Set<Spot> = [
    .executionMode, .showSpinner, .createObservable, .subscribe, .loading, .started,
  ]

  // What the view model's own work sends is folded when that work has returned, before anything else goes on. While an effect is
  // being subscribed nothing is being delivered: there it is folded before `onNext` returns.
  @Test(arguments: Spot.allCases, Ground.allCases)
  func aMapperFromWithinIsFoldedBehindWhatSendsIt(spot: Spot, ground: Ground) async {
    let states = Locked<[Tags]>([])
    let encounter = Encounter(spot, on: ground) { encounter in
      states.mutate { $0.append(encounter.actor.currentState) }
      encounter.actor.effects[0].sendNext()
      states.mutate { $0.append(encounter.actor.currentState) }
    }
    #expect(await encounter.run())
    #expect(await encounter.settle())
    let (before, after) = (states.value[0], states.value[1])
    // The effect of this action ends, and is disposed, while it is being subscribed.
    #expect(after == (spot == .subscribe || spot == .dispose ? before + [0] : before))
    let folded = encounter.journal.value.compactMap { line -> Tags? in
      if case .state(let tags) = line { tags } else { nil }
    }
    if spot == .dropped {
      #expect(folded.prefix(2) == [[], [0]])
    } else {
      #expect(folded.prefix(3) == (Self.beforeTheFold.contains(spot) ? [[], [0], [0, 10]] : [[], [10], [10, 0]]))
    }
  }

  // Sent from elsewhere: first come, first served, among these and new actions
  @Test func mappersFromElsewhereAndNewActionsAreFirstComeFirstServed() {
    let (scheduler, plans) = (HandScheduler(), [Plan(.parallel, "mmm"), Plan(.parallel, "j"), Plan(.parallel, "j")])
    let actor = Actor(plans, scheduler: scheduler) { _, _ in }
    actor.execute(0)
    scheduler.run()
    actor.effects[0].sendNext()
    actor.execute(1)
    actor.effects[0].sendNext()
    actor.execute(2)
    actor.effects[0].sendNext()
    #expect(actor.currentState == [])
    scheduler.run()
    #expect(actor.currentState == [0, 10, 1, 20, 2])
  }

  // Applied to the state that is current when its turn comes, once, and equal states are emitted too
  @Test func equalStatesAreEmitted() {
    let scheduler = TestScheduler()
    let screen = Screen(scheduler: scheduler)
    let (states, pairs) = (screen.stateObservable.test(), screen.actionAndStateObservable.test())
    for _ in 0..<3 { screen.execute(Step("a") { .mutate { $0 = ["same"] } }) }
    scheduler.run()
    #expect(states.values == [[], ["same"], ["same"], ["same"]])
    #expect(pairs.values.map(\.state) == [["same"], ["same"], ["same"]])
  }

  // The very state that its mapper produced, though others fold meanwhile
  @Test func theActionComesWithTheVeryStateThatItsMapperProduced() {
    let scheduler = TestScheduler()
    let (screen, source, bag) = (Screen(scheduler: scheduler), PublishSubject<Int>(), DisposeBag())
    screen.execute(Step("m", on: source))
    scheduler.run()
    screen.stateObservable.subscribe(onNext: { if $0.last == "a" { source.onNext(1) } }).disposed(by: bag)
    let pairs = screen.actionAndStateObservable.test()
    screen.execute(Step("a"))
    scheduler.run()
    #expect(pairs.values.map { "\($0.action) \($0.state.joined())" } == ["a a", "m am"])
    bag.dispose()
  }
}
