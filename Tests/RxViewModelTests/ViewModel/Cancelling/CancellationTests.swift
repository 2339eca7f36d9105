import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.11: `cancelActions`, called from everywhere
struct CancellationTests {
  private let scheduler = TestScheduler()

  @Test func anActionThatEndsBeforeItsEffectIsNotCreated() {
    let (calls, bag) = (Locked<[String]>([]), DisposeBag())
    let screen = ClosureViewModel<String, Int>(0, scheduler: scheduler) { _, action in
      calls.mutate { $0.append("create \(action)") }
      return .never()
    } overrides: {
      $0.mode = { _, action in
        calls.mutate { $0.append("mode \(action)") }
        return .dropWhileBusy
      }
      $0.spins = { _, action in
        calls.mutate { $0.append("spinner \(action)") }
        return true
      }
    }
    screen.at("start started", in: bag) { screen.cancelActions { _ in true } }
    screen.execute("queue")
    screen.cancelActions { _ in true }
    for action in ["start", "runs", "dropped"] {
      screen.execute(action)
      scheduler.run()
    }
    #expect(
      calls.value == [
        "mode queue", "mode start", "spinner start", "mode runs", "spinner runs", "create runs", "mode dropped",
        "spinner dropped",
      ])
    bag.dispose()
  }

  // The mapper cancels its own action, and throws.
  @Test(arguments: [true, false]) func aCancelledActionDoesNotFail(isJust: Bool) {
    let screen = Screen(scheduler: scheduler)
    let ends = screen.ends()
    let resign: StateMapper<[String]> = { _ in
      screen.cancelActions { _ in true }
      throw TestError("oops")
    }
    screen.execute(Step("a") { isJust ? .just(resign) : .of(resign) })
    scheduler.run()
    #expect(ends.values == ["a cancelled"])
    #expect(screen.handled.value == [])
  }

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

  // A cancelled action leaves its lane before the next one asks whether the lane is free.
  @Test func anActionCancelledWhileTheModeIsAskedForIsNotInTheLane() {
    let model = ClosureViewModel<String, Int>(0, scheduler: scheduler) {
      $0.effect = { _, _ in .never() }
      $0.mode = { model, action in
        if action == "b" { model.cancelActions { $0 == "a" } }
        return .dropWhileBusy
      }
    }
    let fates = model.fates()
    for action in ["a", "b"] {
      model.execute(action)
      scheduler.run()
    }
    #expect(fates.values == ["a started", "a cancelled", "b started"])
  }

  // contract 2.7: `handleError` has not been called yet
  @Test func aDisposeActionOfAFailingEffectMayCancelTheAction() {
    let source = PublishSubject<Int>()
    let viewModel = ClosureViewModel<Int, Int>(0, scheduler: ImmediateScheduler()) { viewModel, _ in
      source.map { _ in { _ in throw TestError() } }
        .do(onDispose: { [weak viewModel] in viewModel?.cancelActions { _ in true } })
    }
    let fates = viewModel.fates()
    viewModel.execute(0)
    source.onNext(0)
    #expect(fates.values == ["0 started", "0 cancelled"])
  }
}
