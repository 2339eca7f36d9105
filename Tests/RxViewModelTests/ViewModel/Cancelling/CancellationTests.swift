import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.11: `cancelActions`, called from everywhere
@Suite struct CancellationTests {
  private let scheduler = TestScheduler()

  // contract 2.11: queued, waiting, running
  @Test func cancelActionsEndsQueuedWaitingAndRunningOnes() {
    let screen = Screen(scheduler: scheduler)
    let source = PublishSubject<Int>()
    screen.execute(Step("running", on: source))
    screen.execute(Step("first") { .never() }, mode: .sequence)
    screen.execute(Step("waiting"), mode: .sequence)
    scheduler.run()
    let fates = screen.fates()
    screen.execute(Step("queued"))
    screen.cancelActions { $0.name != "first" }
    screen.execute(Step("after"))
    scheduler.run()
    #expect(!source.hasObservers)
    #expect(
      fates.values == [
        "running cancelled", "waiting cancelled", "queued cancelled", "after started", "after completed",
      ])
  }

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

  // An action that has not ended when it is cancelled ends as cancelled, whatever mapper or end is on its way.
  @Test(arguments: ["mapper", "just", "single", "empty", "waiting completion", "waiting error"])
  func anUnfinishedActionEndsAsCancelled(place: String) {
    let screen = Screen(scheduler: scheduler)
    let (ends, bag) = (screen.ends(), DisposeBag())
    let cancel: @Sendable () -> Void = { screen.cancelActions { $0.name == "a" } }
    screen.actionAndStateObservable.subscribe(onNext: { if $0.action.name == "a" { cancel() } }).disposed(by: bag)
    let resign: StateMapper<[String]> = { _ in
      cancel()
      throw TestError("oops")
    }
    let gate = PublishSubject<Int>()
    screen.execute(Step("gate", on: gate), mode: .parallelOrdered)
    let action = Step("a") {
      switch place {
      case "mapper": .of(resign)
      case "just": .just(resign)
      case "single": .just { $0 + ["a"] }
      case "empty": .empty()
      case "waiting error":
        Observable.just(1).concat(Observable<Int>.error(TestError())).mutate { state, _ in state.append("a") }
      default: Observable.from([1]).mutate { state, _ in state.append("a") }
      }
    }
    screen.execute(action, mode: place.hasPrefix("waiting") ? .parallelOrdered : .parallel)
    scheduler.run()
    gate.onCompleted()
    scheduler.run()
    #expect(ends.values.filter { $0.hasPrefix("a ") } == ["a cancelled"])
    #expect(screen.handled.value == [])
    bag.dispose()
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
}
