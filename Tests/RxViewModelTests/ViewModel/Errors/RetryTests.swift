import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.15
struct RetryTests {
  private let scheduler = TestScheduler()
  private let bag = DisposeBag()

  /// Fails `failures` times, and then adds its name.
  private func step(_ name: String, failures: Int = 1) -> Step {
    let calls = Locked(0)
    return Step(name) {
      calls.increment() <= failures ? .error(TestError("oops")) : .mutate { $0.append(name) }
    }
  }

  private func failures(of screen: FailingScreen) -> TestObserver<ActionAndError<Step>> {
    screen.actionAndErrorObservable.test()
  }

  private func history(of screen: FailingScreen) -> TestObserver<String> {
    screen.executionObservable.map { "\($0)" }.test()
  }

  // The mode is the one that was passed to `execute`, or the view model's, which is not asked again.
  @Test func theActionIsExecutedAgainInItsMode() {
    let screen = FailingScreen(scheduler: scheduler, mode: .parallelOrdered)
    let (failures, history) = (failures(of: screen), history(of: screen))
    screen.execute(step("a"), mode: .sequence("x"))
    screen.execute(step("b"))
    scheduler.run()
    for failure in failures.values { failure.retry() }
    scheduler.run()
    #expect(
      history.values == [
        "#1 a sequence(x): started", "#1 a sequence(x): failed: oops",
        "#2 b parallelOrdered: started", "#2 b parallelOrdered: failed: oops",
        "#3 a sequence(x): started", "#3 a sequence(x): emitted [\"a\"]", "#3 a sequence(x): completed [\"a\"]",
        "#4 b parallelOrdered: started", "#4 b parallelOrdered: emitted [\"a\", \"b\"]",
        "#4 b parallelOrdered: completed [\"a\", \"b\"]",
      ])
  }

  @Test func anItemRetriesOnce() {
    let screen = FailingScreen(scheduler: scheduler)
    let (failures, copies, history) = (failures(of: screen), failures(of: screen), history(of: screen))
    let errors = screen.errorObservable.test()
    screen.execute(step("a", failures: 2))
    scheduler.run()
    for item in [failures.values[0], failures.values[0], copies.values[0]] { item.retry() }
    scheduler.run()
    #expect(history.values.count { $0.hasSuffix("started") } == 2)
    // The new failure, with an equal error, is a new item (contract 2.6).
    #expect(failures.values.count == 2 && errors.values.map { "\($0)" } == ["oops", "oops"])
    failures.values[0].retry()
    failures.values[1].retry()
    scheduler.run()
    #expect(screen.currentState == ["a"])
    #expect(history.values.count { $0.hasSuffix("started") } == 3)
  }

  @Test func anItemWithoutAnActionRetriesNothing() {
    let screen = FailingScreen(scheduler: scheduler)
    let (failures, history) = (failures(of: screen), history(of: screen))
    Observable<Step>.error(TestError()).execute(on: screen).disposed(by: bag)
    scheduler.run()
    failures.values[0].retry()
    scheduler.run()
    #expect(history.values == [])
  }

  // contract 2.8
  @Test func aRetryFromInsideTheCallbackComesAfterTheFailure() {
    let screen = FailingScreen(scheduler: scheduler)
    screen.actionAndErrorObservable.subscribe(onNext: { $0.retry() }).disposed(by: bag)
    screen.journal(in: bag)
    screen.execute(step("a"))
    scheduler.run()
    #expect(
      screen.told.value == [
        "a started", "handle oops of a", "error oops", "a failed with oops", "a failed: oops", "a started",
        "state [\"a\"]", "a made [\"a\"]", "a emitted [\"a\"]", "a completed [\"a\"]",
      ])
  }

  // A failure drops the rest of its own batch only.
  @Test func anActionOfABatchIsExecutedAlone() {
    let screen = FailingScreen(scheduler: scheduler)
    let (failures, fates) = (failures(of: screen), screen.fates())
    screen.executeInSequence(Step("a"), step("b"), Step("c"))
    screen.executeInSequence(Step("d"))
    scheduler.run()
    failures.values[0].retry()
    scheduler.run()
    #expect(
      fates.values == [
        "a started", "a completed", "b started", "b failed", "c dropped", "d started", "d completed", "b started",
        "b completed",
      ])
    #expect(screen.currentState == ["a", "d", "b"])
  }

  // MARK: Scopes

  @Test func aRetriedActionEndsWithItsBag() {
    let (screen, gate) = (FailingScreen(scheduler: scheduler), PublishSubject<Int>())
    let (failures, calls) = (failures(of: screen), Locked(0))
    let step = Step("a") {
      if calls.increment() == 1 { throw TestError() }
      return gate.mutate { state, _ in state.append("a") }
    }
    screen.execute(step, in: bag)
    scheduler.run()
    failures.values[0].retry()
    scheduler.run()
    #expect(gate.hasObservers)
    bag.dispose()
    scheduler.run()
    #expect(!gate.hasObservers)
  }

  enum End: CaseIterable {
    case clear, release, pause, releaseOfTheBag
  }

  @Test(arguments: End.allCases) func nothingIsRetriedAfter(end: End) {
    var (screen, own): (ResumedScreen?, DisposeBag?) = (ResumedScreen(scheduler: scheduler), DisposeBag())
    let (failures, calls) = (screen!.actionAndErrorObservable.test(), Locked(0))
    screen!.didResume()
    scheduler.run()
    let step = Step("a") {
      calls.increment()
      throw TestError()
    }
    switch end {
    case .clear, .release: screen!.execute(step)
    case .pause: screen!.execute(step, in: screen!.scopes.value[0])
    case .releaseOfTheBag: screen!.execute(step, in: own!)
    }
    scheduler.run()
    switch end {
    case .clear: screen!.clear()
    case .release: screen = nil
    case .pause: screen!.didPause()
    case .releaseOfTheBag: own = nil
    }
    scheduler.run()
    failures.values[0].retry()
    scheduler.run()
    #expect(calls.value == 1)
  }

  // MARK: Memory

  @Test func anItemKeepsNeitherTheViewModelNorAStateAlive() {
    let lifetimes = Lifetimes()
    var screen: ClosureViewModel<Bool, Lifetimes.Object>? = ClosureViewModel(lifetimes.make(), scheduler: scheduler) {
      $1 ? .error(TestError()) : .just { _ in lifetimes.make() }
    }
    weak let gone = screen
    let failures = screen!.actionAndErrorObservable.test()
    screen!.execute(false)
    screen!.execute(true)
    scheduler.run()
    let kept = failures.values
    #expect(kept.count == 1)
    screen = nil
    scheduler.run()
    #expect(gone == nil)
    #expect(lifetimes.alive == 0)
    kept[0].retry()
  }

  @Test(.stress, .ownThread) func onlyOneOfManyThreadsRetries() async {
    for _ in 0..<200 {
      let screen = FailingScreen(scheduler: ImmediateScheduler())
      let (failures, calls) = (failures(of: screen), Locked(0))
      screen.execute(
        Step("a") {
          calls.mutate { $0 += 1 }
          throw TestError()
        })
      let item = failures.values[0]
      await race(threads: 3) { _ in item.retry() }
      #expect(calls.value == 2)
    }
  }
}
