import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.2, 2.8: each executed action starts once, in its turn
struct AcceptanceTests {
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
    let (scheduler, asked) = (TestScheduler(), Locked<[String]>([]))
    let modes = ClosureViewModel<String, Int>(0, scheduler: scheduler) {
      $0.effect = { _, _ in .never() }
      $0.mode = { _, action in
        asked.mutate { $0.append(action) }
        return .dropWhileBusy
      }
    }
    let executions = modes.executionObservable.test()
    modes.execute("a")
    modes.execute("b")
    modes.execute("c", mode: .parallel)
    modes.executeInSequence("d", "e")
    scheduler.run()
    #expect(asked.value == ["a", "b"])
    #expect(
      executions.values.map { "\($0.action) \($0.mode) \($0.phase)" } == [
        "a dropWhileBusy started", "b dropWhileBusy dropped", "c parallel started", "d sequence started",
        "e sequence waiting",
      ])
  }
}
