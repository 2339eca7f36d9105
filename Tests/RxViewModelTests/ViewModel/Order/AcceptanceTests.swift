import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.2, 2.8: each executed action starts once, in its turn
@Suite struct AcceptanceTests {
  // The action is executed from inside each override, mapper and callback. It starts after all subscribers have seen the event being
  // delivered.
  @Test(arguments: CallbackPoint.allCases, SchedulerKind.allCases)
  func anActionExecutedFromInsideIsStartedAfterwards(point: CallbackPoint, kind: SchedulerKind) async {
    let probe = CallbackProbe(point, on: kind, others: [Plan(.parallel, "j", spins: false)]) { $0.viewModel.execute(2) }
    #expect(await probe.run())
    #expect(await probe.settle())
    let lines = probe.journal.value
    #expect(lines.count { $0 == .started(2) } == 1)
    #expect(lines.count { if case .completed(2, _) = $0 { true } else { false } } == 1)
    // The subscribers that note these lines come after the subscriber that executes the action.
    if let seen = lines.firstIndex(where: {
      $0.point.map { $0 == (point, 1) || $0 == (point, -1) } ?? false && $0 != .state([]) && $0 != .loading(false)
    }) {
      #expect(seen < lines.firstIndex(of: .started(2))!)
    }
  }

  // The same without subscribers.
  @Test(arguments: [
    CallbackPoint.executionMode, .showSpinner, .createObservable, .subscribe, .mapper, .stateMapper, .handleError,
    .dispose,
  ])
  func anActionExecutedFromInsideNeedsNoSubscribers(point: CallbackPoint) {
    let (scheduler, isDue, held) = (HandScheduler(), Locked(true), Locked<ScriptedViewModel?>(nil))
    let viewModel = ScriptedViewModel([Plan(.parallel, "[me]"), Plan(.parallel, "j")], scheduler: scheduler) {
      reached, action in
      guard reached == point, action == 0, isDue.value else { return }
      isDue.mutate { $0 = false }
      held.value?.execute(1)
    }
    held.mutate { $0 = viewModel }
    viewModel.execute(0)
    scheduler.run()
    held.mutate { $0 = nil }
    #expect(viewModel.currentState == [0, 10])
  }

  // The ids count the order of acceptance, whichever threads execute the actions.
  @Test func actionsStartInTheOrderOfAcceptance() async {
    let (screen, started, ended, bag) = (Screen(), Locked<[UInt64]>([]), Signal(), DisposeBag())
    screen.executionObservable.subscribe(onNext: { execution in
      guard case .started = execution.phase else { return }
      started.mutate { $0.append(execution.id) }
      if started.value.count == 4 * 250 { ended.fire() }
    }).disposed(by: bag)
    await race(threads: 4) { thread in
      for number in 0..<250 {
        screen.execute(Step("\(thread)") { number % 2 == 0 ? .unchanged() : .never() }, mode: .parallelOrdered)
      }
    }
    #expect(await onThread { ended.wait() })
    #expect(started.value == Array(1...1_000))
    bag.dispose()
  }

  // The mode is the one passed to `execute`. Only if none is passed does the view model call the override, once.
  @Test func theModeGivenToExecuteWins() {
    final class Modes: RxViewModel<String, [String]>, @unchecked Sendable {  // Sendable: it stores one `let`.
      let asked = Locked<[String]>([])
      override func createInitialState() -> [String] { [] }
      override func createObservable(_ action: String) -> Effect { .never() }
      override func executionMode(for action: String) -> ExecutionMode {
        asked.mutate { $0.append(action) }
        return .dropWhileBusy
      }
    }
    let scheduler = TestScheduler()
    let modes = Modes(scheduler: scheduler)
    let executions = modes.executionObservable.test()
    modes.execute("a")
    modes.execute("b")
    modes.execute("c", mode: .parallel)
    modes.executeInSequence("d", "e")
    scheduler.run()
    #expect(modes.asked.value == ["a", "b"])
    #expect(
      executions.values.map { "\($0.action) \($0.mode) \($0.phase)" } == [
        "a dropWhileBusy started", "b dropWhileBusy dropped", "c parallel started", "d sequence started",
      ])
  }
}
