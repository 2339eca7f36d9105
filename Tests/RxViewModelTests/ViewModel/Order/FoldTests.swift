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

  // Each fold emits its state, also if it equals the one before.
  @Test func equalStatesAreEmitted() {
    let screen = Screen(scheduler: ImmediateScheduler())
    let (states, pairs) = (screen.stateObservable.test(), screen.actionAndStateObservable.test())
    for _ in 0..<3 { screen.execute(Step("a") { .mutate { $0 = ["same"] } }) }
    #expect(states.values == [[], ["same"], ["same"], ["same"]])
    #expect(pairs.values.map(\.state) == [["same"], ["same"], ["same"]])
  }

  /// A screen with an action that adds what `source` sends.
  private func listeningScreen(to source: PublishSubject<String>) -> Screen {
    let screen = Screen(scheduler: ImmediateScheduler())
    screen.execute(Step("listen") { source.mutate { $0.append($1) } })
    return screen
  }

  // The emissions of one fold count as one event.
  @Test func theActionAndItsStateComeBeforeTheRequestsOfTheStateCallback() {
    let (source, bag) = (PublishSubject<String>(), DisposeBag())
    let screen = listeningScreen(to: source)
    screen.execute(Step("other") { .never() })
    screen.stateObservable.subscribe(onNext: { state in
      guard state == ["a"] else { return }
      source.onNext("1")
      screen.execute(Step("b"))
      screen.cancelActions { $0.name == "other" }
    }).disposed(by: bag)
    let journal = Journal(screen)
    screen.execute(Step("a"))
    #expect(
      journal.news.filter { $0 != "a completed a" } == [
        "a started", "state a", "a made a", "a emitted a", "other cancelled",
        "state a1", "listen made a1", "listen emitted a1",
        "b started", "state a1b", "b made a1b", "b emitted a1b", "b completed a1b",
      ])
    bag.dispose()
  }

  @Test(arguments: [true, false])
  func aMapperSentByAMapperPrecedesOneSentByTheErrorObserver(isJust: Bool) {
    let (source, bag) = (PublishSubject<String>(), DisposeBag())
    let screen = listeningScreen(to: source)
    screen.errorObservable.subscribe(onNext: { _ in source.onNext("2") }).disposed(by: bag)
    let mapper: StateMapper<[String]> = { _ in
      source.onNext("1")
      throw TestError()
    }
    screen.execute(Step("bad") { isJust ? .just(mapper) : .of(mapper) })
    #expect(screen.currentState == ["1", "2"])
    bag.dispose()
  }
}
