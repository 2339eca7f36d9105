import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, execution modes, in virtual time
@Suite struct ModeTests {
  private let scheduler = TestScheduler()

  /// Sets the state to `name` when `milliseconds` have passed.
  private func step(_ name: String, _ milliseconds: Int, spins: Bool = false) -> Step {
    let timer = scheduler.coldObservable([
      Recorded(.milliseconds(milliseconds), .next(1)), Recorded(.milliseconds(milliseconds), .completed),
    ])
    return Step(name, spins: spins) { timer.mutate { state, _ in state = [name] } }
  }

  @Test func switchLatestCancelsTheOneBefore() {
    let screen = Screen(scheduler: scheduler)
    let source = PublishSubject<Int>()
    screen.execute(Step("a", on: source), mode: .switchLatest)
    scheduler.run()
    let journal = Journal(screen)
    screen.execute(step("b", 10), mode: .switchLatest)
    scheduler.advance()
    #expect(!source.hasObservers)
    #expect(journal.news == ["a cancelled", "b started"])
  }

  @Test func dropWhileBusyDrops() {
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    screen.execute(step("a", 10), mode: .dropWhileBusy)
    screen.execute(step("b", 10), mode: .dropWhileBusy)
    screen.execute(Step("c"), mode: .dropWhileBusy("other"))
    scheduler.advance()
    #expect(
      journal.news.filter { !$0.contains("state") } == [
        "a started", "b dropped", "c started", "c made c", "c emitted c", "c completed c",
      ])
    scheduler.run()
    screen.execute(step("d", 10), mode: .dropWhileBusy)
    scheduler.run()
    #expect(screen.currentState == ["d"])
  }

  // contract 2, modes: actions in lanes with different names do not wait for each other
  @Test func lanesDoNotWaitForEachOther() {
    let screen = Screen(scheduler: scheduler)
    screen.execute(Step("never") { .never() }, mode: .sequence("x"))
    screen.execute(Step("a"), mode: .sequence("y"))
    screen.execute(Step("b"), mode: .sequence)
    screen.execute(Step("c"), mode: .switchLatest)
    screen.execute(Step("d"), mode: .parallelOrdered)
    screen.execute(Step("e"), mode: .sequence("x"))
    scheduler.run()
    #expect(screen.currentState == ["a", "b", "c", "d"])
  }

  // contract 2.7: no flicker between two actions of a lane
  @Test func loadingSpansALane() {
    let screen = Screen(scheduler: scheduler)
    let loading = screen.isLoadingObservable.test(scheduler)
    for name in ["a", "b", "c"] { screen.execute(step(name, 10, spins: true), mode: .sequence) }
    scheduler.run()
    #expect(
      loading.events == [
        Recorded(.zero, .next(false)), Recorded(.zero, .next(true)), Recorded(.milliseconds(30), .next(false)),
      ])
  }

  @Test func aFailureDropsTheRestOfItsBatchOnly() {
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    screen.executeInSequence(Step("a"), Step("b") { throw TestError() }, Step("c"), Step("d"))
    screen.executeInSequence(Step("e"))
    scheduler.run()
    #expect(screen.currentState == ["a", "e"])
    #expect(journal.lines.filter { $0.hasSuffix("dropped") } == ["c dropped", "d dropped"])
  }

  // contract 2, parallelOrdered: an error or a cancellation lets the next ones through
  @Test func orderedGoesOnAfterAFailure() {
    let screen = Screen(scheduler: scheduler)
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    screen.execute(Step("a", on: a), mode: .parallelOrdered)
    screen.execute(Step("b", on: b), mode: .parallelOrdered)
    screen.execute(Step("c"), mode: .parallelDeferred)
    screen.execute(Step("d"), mode: .parallelOrdered)
    scheduler.run()
    b.onNext(1)
    b.onCompleted()
    scheduler.run()
    #expect(screen.currentState == [])
    a.onError(TestError())
    scheduler.run()
    #expect(screen.currentState == ["b", "c", "d"])
  }

  // contract 2.11
  @Test func cancelActionsEndsQueuedWaitingAndRunningOnes() {
    let screen = Screen(scheduler: scheduler)
    let source = PublishSubject<Int>()
    screen.execute(Step("running", on: source))
    screen.execute(Step("first") { .never() }, mode: .sequence)
    screen.execute(Step("waiting"), mode: .sequence)
    scheduler.run()
    let journal = Journal(screen)
    screen.execute(Step("queued"))
    screen.cancelActions { $0.name != "first" }
    screen.execute(Step("after"))
    scheduler.run()
    #expect(!source.hasObservers)
    #expect(
      journal.news == [
        "running cancelled", "waiting cancelled", "queued cancelled",
        "after started", "state after", "after made after", "after emitted after", "after completed after",
      ])
  }

  // contract 2.11: from inside a callback of the action's own fold
  @Test(arguments: [true, false])
  func cancelActionsFromInsideAFold(isJust: Bool) {
    let screen = Screen(scheduler: scheduler)
    let bag = DisposeBag()
    screen.stateObservable.subscribe(onNext: { if $0 == ["1"] { screen.cancelActions { _ in true } } }).disposed(
      by: bag)
    let journal = Journal(screen)
    screen.execute(
      Step("a") { isJust ? .mutate { $0.append("1") } : Observable.from(1...3).mutate { $0.append("\($1)") } })
    scheduler.run()
    #expect(journal.news == ["a started", "state 1", "a made 1", "a emitted 1", "a cancelled"])
    bag.dispose()
  }

  // contract 2.11: from inside the override that begins the action
  @Test(arguments: [ExecutionMode.parallel, .sequence, .parallelOrdered], [true, false])
  func cancelActionsFromInsideAnOverride(mode: ExecutionMode, isJust: Bool) {
    let screen = Screen(scheduler: scheduler)
    let source = PublishSubject<Int>()
    screen.execute(Step("other", on: source))
    scheduler.run()
    let journal = Journal(screen)
    let action = Step("a", spins: true) {
      screen.cancelActions { $0.name == "a" }
      source.onNext(1)
      return isJust ? .mutate { $0.append("a") } : Observable<Int>.never().mutate { _, _ in }
    }
    screen.execute(action, mode: mode)
    screen.execute(Step("b"), mode: mode)
    scheduler.run()
    #expect(
      journal.news.filter { !$0.hasPrefix("b") } == [
        "loading true", "a started", "a cancelled", "state other", "other made other", "other emitted other",
        "loading false", "state otherb",
      ])
  }

  // contract 1.6: a lane of any length, on a small stack
  @Test(.stress, arguments: [ExecutionMode.sequence, .parallelOrdered, .parallelDeferred])
  func aLongLaneNeedsNoStack(mode: ExecutionMode) async {
    let length = await onThread(stackSize: smallStack) {
      final class Numbers: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
        let gate = PublishSubject<Int>()
        override func createInitialState() -> Int { 0 }
        override func createObservable(_ action: Int) -> Effect {
          action == 0 ? gate.mutate { $0 += $1 } : .mutate { $0 += 1 }
        }
      }
      let (scheduler, count) = (TestScheduler(), 20_000)
      let numbers = Numbers(scheduler: scheduler)
      for number in 0..<count { numbers.execute(number, mode: mode) }
      scheduler.run()
      numbers.gate.onCompleted()
      scheduler.run()
      return numbers.currentState
    }
    #expect(length == 19_999)
  }
}

// contract 2.6 and the table: streams of actions
@Suite struct ExecuteOnTests {
  @Test func executesEachElementAndReportsTheError() {
    let scheduler = TestScheduler()
    let lifetimes = Lifetimes()
    var screen: Screen? = Screen(scheduler: scheduler, tracker: lifetimes.make())
    let journal = Journal(screen!)
    let actions = PublishSubject<Step>()
    let subscription = actions.execute(on: screen!)
    actions.onNext(Step("a"))
    actions.onError(TestError("oops"))
    scheduler.run()
    #expect(journal.news.suffix(2) == ["error oops", "no action failed with oops"])
    #expect(screen?.currentState == ["a"])
    #expect(screen?.handled.value == ["oops of no action"])
    screen = nil
    #expect(lifetimes.alive == 0)
    subscription.dispose()
  }
}
