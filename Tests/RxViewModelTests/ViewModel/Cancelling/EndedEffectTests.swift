import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct EndedEffectTests {
  // contract 1.4, 2.3: the action waits for an earlier one, and its effect, which has ended, is disposed at once
  @Test func aHeldActionKeepsNothingOfAnEffectThatHasEnded() {
    let (scheduler, source, isDisposed) = (TestScheduler(), PublishSubject<Int>(), Locked(false))
    let screen = Screen(scheduler: scheduler)
    screen.execute(Step("never") { .never() }, mode: .parallelOrdered)
    screen.execute(
      Step("a") {
        .create { observer in
          let subscription = source.mutate { state, number in state.append("\(number)") }.subscribe(observer)
          return Disposables.create {
            subscription.dispose()
            isDisposed.mutate { $0 = true }
          }
        }
      }, mode: .parallelOrdered)
    scheduler.run()
    source.onNext(1)
    #expect(!isDisposed.value)
    source.onCompleted()
    #expect(isDisposed.value)
    screen.cancelActions { $0.name == "never" }
    scheduler.run()
    #expect(screen.currentState == ["1"])
  }

  // contract 2.11 and the modes: a cancelled action leaves its lane before the next one asks whether it is free
  @Test func anActionCancelledWhileTheModeIsAskedForIsNotInTheLane() {
    let scheduler = TestScheduler()
    let model = Asking(scheduler)
    let journal = model.executionObservable.map { "\($0.action) \("\($0.phase)".prefix { $0.isLetter })" }.test()
    model.execute("a")
    scheduler.run()
    model.execute("b")
    scheduler.run()
    #expect(journal.values == ["a started", "a cancelled", "b started"])
  }

  private final class Asking: RxViewModel<String, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
    init(_ scheduler: any Scheduler) { super.init(initialState: 0, scheduler: scheduler) }

    override func executionMode(for action: String) -> ExecutionMode {
      if action == "b" { cancelActions { $0 == "a" } }
      return .dropWhileBusy
    }

    override func createObservable(_ action: String) -> Effect { .never() }
  }
}
