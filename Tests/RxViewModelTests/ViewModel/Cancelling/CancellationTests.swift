import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Records which overrides the view model calls for which actions.
// Sendable: it stores only `let`s.
private final class Asked: RxViewModel<String, Int>, @unchecked Sendable {
  let calls = Locked<[String]>([])

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: String) -> Effect {
    calls.mutate { $0.append("create \(action)") }
    return .never()
  }

  override func executionMode(for action: String) -> ExecutionMode {
    calls.mutate { $0.append("mode \(action)") }
    return .dropWhileBusy
  }

  override func showSpinner(_ action: String) -> Bool {
    calls.mutate { $0.append("spinner \(action)") }
    return true
  }
}

// contract 2.11: `cancelActions`, called from everywhere
@Suite struct CancellationTests {
  private let scheduler = TestScheduler()

  @Test func anActionThatEndsBeforeItsEffectIsNotCreated() {
    let (screen, bag) = (Asked(scheduler: scheduler), DisposeBag())
    screen.executionObservable.subscribe(onNext: { step in
      if case .started = step.phase, step.action == "cancelled at its start" { screen.cancelActions { _ in true } }
    }).disposed(by: bag)
    screen.execute("cancelled in the queue")
    screen.cancelActions { _ in true }
    screen.execute("cancelled at its start")
    scheduler.run()
    screen.execute("runs")
    screen.execute("dropped")
    scheduler.run()
    let calls = screen.calls.value
    #expect(calls.filter { $0.hasPrefix("create") } == ["create runs"])
    #expect(
      calls.filter { $0.hasPrefix("mode") } == [
        "mode cancelled in the queue", "mode cancelled at its start", "mode runs", "mode dropped",
      ])
    #expect(Set(calls).count == calls.count)
    #expect(!calls.contains("spinner cancelled in the queue"))
    bag.dispose()
  }

  // The view model first emits the rest of the fold, then handles the cancellation, and then folds the mapper that the callback sends.
  @Test func aFoldIsEmittedInFullBeforeTheCancellation() {
    let screen = Screen(scheduler: scheduler)
    let (other, bag) = (PublishSubject<Int>(), DisposeBag())
    screen.execute(Step("other", on: other))
    scheduler.run()
    screen.stateObservable.subscribe(onNext: { state in
      guard state == ["1"] else { return }
      screen.cancelActions { $0.name == "a" }
      other.onNext(1)
    }).disposed(by: bag)
    let journal = Journal(screen)
    screen.execute(Step("a") { Observable.from(1...3).mutate { $0.append("\($1)") } })
    scheduler.run()
    #expect(
      journal.news == [
        "a started", "state 1", "a made 1", "a emitted 1", "a cancelled",
        "state 1other", "other made 1other", "other emitted 1other",
      ])
    bag.dispose()
  }

  // The mapper is sent before the cancellation, and waits for the end of the fold.
  @Test func aMapperThatWaitsForAnotherFoldIsNotCalled() {
    let screen = Screen(scheduler: scheduler)
    let (other, bag, calls) = (PublishSubject<Int>(), DisposeBag(), Locked(0))
    screen.execute(Step("other") { other.mutate { _, _ in calls.mutate { $0 += 1 } } })
    scheduler.run()
    screen.stateObservable.subscribe(onNext: { state in
      guard state == ["a"] else { return }
      other.onNext(1)
      screen.cancelActions { $0.name == "other" }
    }).disposed(by: bag)
    let journal = Journal(screen)
    screen.execute(Step("a"))
    scheduler.run()
    #expect(calls.value == 0)
    #expect(journal.news == ["a started", "state a", "a made a", "a emitted a", "a completed a", "other cancelled"])
    bag.dispose()
  }

  // An action that waits in a lane is cancelled there, also from inside the callback of the end that would let it start.
  @Test(arguments: [ExecutionMode.sequence, .parallelDeferred])
  func aWaitingActionIsCancelledFromInsideTheEndOfTheOneBefore(mode: ExecutionMode) {
    let screen = Screen(scheduler: scheduler)
    let (bag, created) = (DisposeBag(), Locked<[String]>([]))
    let source = PublishSubject<Int>()
    func step(_ name: String) -> Step {
      Step(name) {
        created.mutate { $0.append(name) }
        return .mutate { $0.append(name) }
      }
    }
    screen.executionObservable.subscribe(onNext: { execution in
      if case .completed = execution.phase, execution.action.name == "a" { screen.cancelActions { $0.name == "b" } }
    }).disposed(by: bag)
    screen.execute(Step("a", on: source), mode: mode)
    screen.execute(step("b"), mode: mode)
    screen.execute(step("c"), mode: mode)
    scheduler.run()
    let journal = Journal(screen)
    source.onCompleted()
    scheduler.run()
    #expect(created.value == ["c"])
    #expect(
      journal.news == [
        "state ", "a made ", "a emitted ", "a completed ", "b cancelled", "c started", "state c", "c made c",
        "c emitted c", "c completed c",
      ])
    bag.dispose()
  }

  // An action that has not ended when it is cancelled ends as cancelled, whatever mapper or end is on its way.
  @Test(arguments: ["mapper", "just", "empty", "waiting completion", "waiting error"])
  func anUnfinishedActionEndsAsCancelled(place: String) {
    let screen = Screen(scheduler: scheduler)
    let (ends, bag) = (Locked<[String]>([]), DisposeBag())
    screen.executionObservable.subscribe(onNext: { execution in
      guard execution.action.name == "a" else { return }
      switch execution.phase {
      case .started, .emitted: break
      case .cancelled: ends.mutate { $0.append("cancelled") }
      default: ends.mutate { $0.append("other") }
      }
    }).disposed(by: bag)
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
    #expect(ends.value == ["cancelled"])
    #expect(screen.handled.value == [])
    bag.dispose()
  }

  // `executeInSequence` drops the actions after a cancelled one, and not those before it.
  @Test func cancellingOneOfABatchDropsThoseAfterIt() {
    let screen = Screen(scheduler: scheduler)
    let source = PublishSubject<Int>()
    screen.executeInSequence(Step("a", on: source), Step("b"), Step("c"), Step("d"))
    scheduler.run()
    let journal = Journal(screen)
    screen.cancelActions { $0.name == "c" }
    scheduler.run()
    #expect(journal.news == ["c cancelled"])
    source.onNext(1)
    source.onCompleted()
    scheduler.run()
    #expect(screen.currentState == ["a", "b"])
    #expect(journal.news.last == "d dropped")
  }

  // A predicate may request a cancellation, and send a mapper.
  @Test func aPredicateMayCancelAndSend() {
    let screen = Screen(scheduler: scheduler)
    let source = PublishSubject<Int>()
    screen.execute(Step("source", on: source))
    scheduler.run()
    let journal = Journal(screen)
    screen.execute(Step("a"))
    screen.execute(Step("b"))
    screen.cancelActions { action in
      if action.name == "a" {
        screen.cancelActions { $0.name == "a" }
        source.onNext(1)
      }
      return action.name == "a"
    }
    scheduler.run()
    #expect(journal.news.filter { $0.hasPrefix("a ") } == ["a cancelled"])
    #expect(screen.currentState == ["b", "source"])
  }

  // The callback of the end of the old action of a lane may cancel the new one.
  @Test func theSupersedingActionIsCancelledFromInsideTheEndOfTheOther() {
    let screen = Screen(scheduler: scheduler)
    let (source, bag, created) = (PublishSubject<Int>(), DisposeBag(), Locked(0))
    screen.execute(Step("source", on: source))
    screen.execute(Step("a") { .never() }, mode: .switchLatest)
    scheduler.run()
    screen.executionObservable.subscribe(onNext: { execution in
      guard case .cancelled = execution.phase, execution.action.name == "a" else { return }
      screen.cancelActions { $0.name == "b" }
      source.onNext(1)
    }).disposed(by: bag)
    let journal = Journal(screen)
    let next = Step("b") {
      created.mutate { $0 += 1 }
      return .mutate { $0.append("b") }
    }
    screen.execute(next, mode: .switchLatest)
    scheduler.run()
    #expect(created.value == 0)
    #expect(screen.currentState == ["source"])
    #expect(journal.news.filter { $0.hasPrefix("a ") || $0.hasPrefix("b ") } == ["a cancelled", "b cancelled"])
    bag.dispose()
  }
}
