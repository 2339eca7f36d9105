import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.3, 2.5: when a mapper is folded
struct FoldTests {
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

  @Test(arguments: [true, false])
  func aMapperSentByAMapperPrecedesOneSentByTheErrorObserver(isJust: Bool) {
    let (source, bag) = (PublishSubject<String>(), DisposeBag())
    let screen = Screen(scheduler: ImmediateScheduler())
    screen.execute(Step("listen") { source.mutate { $0.append($1) } })
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
