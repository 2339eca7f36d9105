import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.3, 2.5: when a mapper is folded
@Suite struct FoldTests {
  /// The points before the call of the action's own first mapper.
  private static let beforeTheFold: Set<CallbackPoint> = [
    .executionMode, .showSpinner, .createObservable, .subscribe, .loading, .started,
  ]

  // The view model folds a mapper from its own work after that work has returned, before anything else. While it subscribes to an effect it
  // is delivering no event, so it folds the mapper before `onNext` returns.
  @Test(arguments: CallbackPoint.allCases, SchedulerKind.allCases)
  func aMapperFromWithinIsFoldedAfterItsSenderReturns(point: CallbackPoint, kind: SchedulerKind) async {
    let states = Locked<[Tags]>([])
    let probe = CallbackProbe(point, on: kind) { probe in
      states.mutate { $0.append(probe.viewModel.currentState) }
      probe.viewModel.effects[0].sendNext()
      states.mutate { $0.append(probe.viewModel.currentState) }
    }
    #expect(await probe.run())
    #expect(await probe.settle())
    let (before, after) = (states.value[0], states.value[1])
    // The effect of this action ends, and is disposed, while it is being subscribed.
    #expect(after == (point == .subscribe || point == .dispose ? before + [0] : before))
    let folded = probe.journal.value.compactMap { line -> Tags? in
      if case .state(let tags) = line { tags } else { nil }
    }
    if point == .dropped {
      #expect(folded.prefix(2) == [[], [0]])
    } else {
      #expect(folded.prefix(3) == (Self.beforeTheFold.contains(point) ? [[], [0], [0, 10]] : [[], [10], [10, 0]]))
    }
  }

  // Each mapper from elsewhere and each new action gets a turn, first come, first served.
  @Test func mappersFromElsewhereAndNewActionsAreFirstComeFirstServed() {
    let (scheduler, plans) = (HandScheduler(), [Plan(.parallel, "mmm"), Plan(.parallel, "j"), Plan(.parallel, "j")])
    let viewModel = ScriptedViewModel(plans, scheduler: scheduler) { _, _ in }
    viewModel.execute(0)
    scheduler.run()
    viewModel.effects[0].sendNext()
    viewModel.execute(1)
    viewModel.effects[0].sendNext()
    viewModel.execute(2)
    viewModel.effects[0].sendNext()
    #expect(viewModel.currentState == [])
    scheduler.run()
    #expect(viewModel.currentState == [0, 10, 1, 20, 2])
  }

  // Each fold emits its state, also if it equals the one before.
  @Test func equalStatesAreEmitted() {
    let scheduler = TestScheduler()
    let screen = Screen(scheduler: scheduler)
    let (states, pairs) = (screen.stateObservable.test(), screen.actionAndStateObservable.test())
    for _ in 0..<3 { screen.execute(Step("a") { .mutate { $0 = ["same"] } }) }
    scheduler.run()
    #expect(states.values == [[], ["same"], ["same"], ["same"]])
    #expect(pairs.values.map(\.state) == [["same"], ["same"], ["same"]])
  }

  // The pair contains the state that the action's mapper returned, although a callback sends another mapper before the pair is emitted.
  @Test func theActionComesWithTheStateThatItsMapperReturned() {
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
