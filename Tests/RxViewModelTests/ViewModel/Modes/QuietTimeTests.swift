import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, execution modes: `switchLatest(_:after:)`
@Suite struct QuietTimeTests {
  private let scheduler = TestScheduler()
  private static let quiet = ExecutionMode.switchLatest("list", after: .milliseconds(300))

  private func executions(_ screen: Screen) -> TestObserver<String> {
    screen.executionObservable.compactMap { execution -> String? in
      switch execution.phase {
      case .started: "\(execution.action) started"
      case .completed: "\(execution.action) completed"
      case .cancelled: "\(execution.action) cancelled"
      case .dropped: "\(execution.action) dropped"
      case .emitted, .failed: nil
      }
    }.test(scheduler)
  }

  private func events(_ events: [(Int, String)]) -> [Recorded<String>] {
    events.map { Recorded(.milliseconds($0.0), .next($0.1)) }
  }

  @Test func anActionStartsAfterItsQuietTime() {
    let screen = Screen(scheduler: scheduler)
    let executions = executions(screen)
    screen.execute(Step("a"), mode: Self.quiet)
    scheduler.advance(by: .milliseconds(299))
    #expect(executions.events == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(executions.events == events([(300, "a started"), (300, "a completed")]))
    #expect(scheduler.now == .milliseconds(300))
  }

  @Test func untilThenItHasNotStartedAndDoesNotCountAsLoading() {
    let screen = Screen(scheduler: scheduler)
    let (all, some) = (
      screen.isLoadingObservable.test(scheduler), screen.isLoadingObservable(where: { _ in true }).test(scheduler)
    )
    let created = Locked(0)
    screen.execute(
      Step("a", spins: true) {
        created.mutate { $0 += 1 }
        return .never()
      }, mode: Self.quiet)
    scheduler.advance(by: .milliseconds(299))
    #expect(created.value == 0)
    #expect(all.values == [false])
    #expect(some.values == [false])
    #expect(screen.isLoadingObservable(where: { _ in true }).test().values == [false])
    scheduler.run()
    #expect(created.value == 1)
    let expected = [Recorded(.zero, Event.next(false)), Recorded(.milliseconds(300), .next(true))]
    #expect(all.events == expected)
    #expect(some.events == expected)
  }

  @Test func anotherSwitchLatestTakesItsPlaceAndStartsTheTimeAgain() {
    let screen = Screen(scheduler: scheduler)
    let executions = executions(screen)
    for name in ["a", "b", "c"] {
      screen.execute(Step(name), mode: Self.quiet)
      scheduler.advance(by: .milliseconds(200))
    }
    scheduler.run()
    #expect(
      executions.events
        == events([(200, "a cancelled"), (400, "b cancelled"), (700, "c started"), (700, "c completed")]))
  }

  @Test func aSwitchLatestWithoutATimeTakesItsPlaceAtOnce() {
    let screen = Screen(scheduler: scheduler)
    let executions = executions(screen)
    screen.execute(Step("a"), mode: Self.quiet)
    screen.execute(Step("b"), mode: .switchLatest("list"))
    scheduler.run()
    #expect(executions.events == events([(0, "a cancelled"), (0, "b started"), (0, "b completed")]))
    #expect(scheduler.now == .zero)
  }

  @Test func itsArrivalCancelsTheActionThatRunsInTheLane() {
    let screen = Screen(scheduler: scheduler)
    let (executions, source) = (executions(screen), PublishSubject<Int>())
    screen.execute(Step("page", on: source), mode: .dropWhileBusy("list"))
    scheduler.advance(by: .milliseconds(50))
    screen.execute(Step("a"), mode: Self.quiet)
    scheduler.advance()
    #expect(!source.hasObservers)
    scheduler.run()
    #expect(
      executions.events
        == events([(0, "page started"), (50, "page cancelled"), (350, "a started"), (350, "a completed")]))
  }

  @Test func dropWhileBusyIsDroppedAndDoesNotStartTheTimeAgain() {
    let screen = Screen(scheduler: scheduler)
    let executions = executions(screen)
    screen.execute(Step("a"), mode: Self.quiet)
    scheduler.advance(by: .milliseconds(200))
    screen.execute(Step("page"), mode: .dropWhileBusy("list"))
    scheduler.run()
    #expect(executions.events == events([(200, "page dropped"), (300, "a started"), (300, "a completed")]))
  }

  @Test func sequenceWaitsForItAndDoesNotStartTheTimeAgain() {
    let screen = Screen(scheduler: scheduler)
    let executions = executions(screen)
    screen.execute(Step("a"), mode: Self.quiet)
    scheduler.advance(by: .milliseconds(200))
    screen.execute(Step("save"), mode: .sequence("list"))
    scheduler.run()
    #expect(
      executions.events
        == events([(300, "a started"), (300, "a completed"), (300, "save started"), (300, "save completed")]))
  }

  @Test func sequenceStartsWhenTheWaitingActionIsCancelled() {
    let screen = Screen(scheduler: scheduler)
    let executions = executions(screen)
    screen.execute(Step("a"), mode: Self.quiet)
    screen.execute(Step("save"), mode: .sequence("list"))
    scheduler.advance(by: .milliseconds(100))
    screen.cancelActions { $0.name == "a" }
    scheduler.run()
    #expect(executions.events == events([(100, "a cancelled"), (100, "save started"), (100, "save completed")]))
    #expect(scheduler.now == .milliseconds(100))
  }

  @Test func actionsInOtherLanesDoNotDisturbIt() {
    let screen = Screen(scheduler: scheduler)
    let executions = executions(screen)
    screen.execute(Step("a"), mode: Self.quiet)
    scheduler.advance(by: .milliseconds(200))
    for mode: ExecutionMode in [.parallel, .sequence, .switchLatest, .switchLatest("other"), .dropWhileBusy] {
      screen.execute(Step("x"), mode: mode)
    }
    scheduler.run()
    #expect(executions.events.suffix(2) == events([(300, "a started"), (300, "a completed")])[...])
  }

  enum End: CaseIterable {
    case cancelled, superseded, cleared, released
  }

  // The timer retains neither the action nor the view model any more, and the scheduler has no work left.
  @Test(arguments: End.allCases)
  func theTimerIsDisposedAtEveryEnd(end: End) {
    let (lifetimes, scheduler) = (Lifetimes(), TestScheduler())
    var screen: Screen? = Screen(scheduler: scheduler, tracker: lifetimes.make())
    let object = Locked<Lifetimes.Object?>(lifetimes.make())
    screen!.execute(
      Step("a") { [object = object.value!] in
        object.touch()
        return .never()
      }, mode: Self.quiet)
    object.mutate { $0 = nil }
    scheduler.advance(by: .milliseconds(100))
    #expect(lifetimes.alive == 2)
    switch end {
    case .cancelled: screen!.cancelActions { _ in true }
    case .superseded: screen!.execute(Step("b"), mode: .switchLatest("list"))
    case .cleared: screen!.clear()
    case .released: screen = nil
    }
    scheduler.advance()
    #expect(lifetimes.alive == (end == .released ? 0 : 1))
    scheduler.run()
    #expect(scheduler.now == .milliseconds(100))
    withExtendedLifetime(screen) {}
  }

  // contract 2.9
  @Test func theWaitingActionDoesNotKeepTheViewModelAlive() {
    let lifetimes = Lifetimes()
    var screen: Screen? = Screen(scheduler: scheduler, tracker: lifetimes.make())
    screen!.execute(Step("a"), mode: Self.quiet)
    scheduler.advance()
    let executions = screen!.executionObservable.test()
    screen = nil
    #expect(lifetimes.alive == 0)
    scheduler.run()
    #expect(executions.values.isEmpty)
    #expect(executions.isCompleted)
  }

  // contract 2.10
  @Test func performReturnsAfterTheQuietTimeAndThrowsWhenSuperseded() async throws {
    let hand = HandScheduler()
    let screen = Screen(scheduler: hand)
    let first = Task { try await screen.perform(Step("a"), mode: .switchLatest(after: .seconds(1))) }
    #expect(await onThread { hand.scheduled.wait() })
    hand.run()
    let second = Task { try await screen.perform(Step("b"), mode: .switchLatest(after: .seconds(1))) }
    #expect(await onThread { hand.scheduled.wait() })
    hand.run()
    await #expect(throws: CancellationError.self) { try await first.value }
    hand.passTime()
    hand.run()
    #expect(try await second.value == ["b"])
  }

  // A time of zero or less is over in the next turn.
  @Test(arguments: [Duration.zero, .seconds(-1)])
  func aTimeOfZeroIsOverAtOnce(time: Duration) {
    for scheduler in [ImmediateScheduler() as any Scheduler, HandScheduler(), TestScheduler()] {
      let screen = Screen(scheduler: scheduler)
      screen.execute(Step("a"), mode: .switchLatest(after: time))
      (scheduler as? HandScheduler)?.run()
      (scheduler as? HandScheduler)?.passTime()
      (scheduler as? HandScheduler)?.run()
      (scheduler as? TestScheduler)?.run()
      #expect(screen.currentState == ["a"])
    }
  }

  // On a queue, in real time.
  @Test func theTimePassesOnTheViewModelsScheduler() async throws {
    let screen = Screen()
    let start = ContinuousClock.now
    let state = try await screen.perform(Step("a"), mode: .switchLatest(after: .milliseconds(30)))
    #expect(state == ["a"])
    #expect(ContinuousClock.now - start >= .milliseconds(30))
  }

  // Several threads execute actions in real time. Only the last action starts, and the others are released.
  @Test(arguments: [SchedulerKind.ownQueue, .concurrentQueue, .immediate])
  func onlyTheLastOfManyActionsFromManyThreadsStarts(kind: SchedulerKind) async throws {
    let (lifetimes, started, cancelled) = (Lifetimes(), Locked(0), Locked(0))
    let screen = Screen(scheduler: kind.scheduler())
    let subscription = screen.executionObservable.subscribe(onNext: { execution in
      switch execution.phase {
      case .started: started.mutate { $0 += 1 }
      case .cancelled: cancelled.mutate { $0 += 1 }
      default: break
      }
    })
    await race(threads: 4) { _ in
      for _ in 0..<500 {
        let object = lifetimes.make()
        let step = Step("a") {
          object.touch()
          return .unchanged()
        }
        screen.execute(step, mode: .switchLatest(after: .seconds(1_000)))
      }
    }
    #expect(try await screen.perform(Step("last"), mode: .switchLatest(after: .milliseconds(1))) == ["last"])
    #expect(started.value == 1)
    #expect(cancelled.value == 2_000)
    #expect(await onThread { lifetimes.waitForNone() })
    subscription.dispose()
  }

  // The callback of the cancellation executes a third action. It comes last, so it supersedes the second one, and starts once.
  @Test func aSwitchLatestFromInsideTheCancellationOfTheOneBeforeWins() {
    let (screen, bag) = (Screen(scheduler: scheduler), DisposeBag())
    screen.executionObservable.subscribe(onNext: { execution in
      guard case .cancelled = execution.phase, execution.action.name == "a" else { return }
      screen.execute(Step("c"), mode: Self.quiet)
    }).disposed(by: bag)
    let executions = executions(screen)
    screen.execute(Step("a"), mode: Self.quiet)
    scheduler.advance(by: .milliseconds(100))
    screen.execute(Step("b"), mode: Self.quiet)
    scheduler.run()
    #expect(
      executions.events
        == events([(100, "a cancelled"), (100, "b cancelled"), (400, "c started"), (400, "c completed")]))
    bag.dispose()
  }
}
