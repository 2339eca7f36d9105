import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, execution modes: `switchLatest(_:after:)`
struct DebouncedActionTests {
  private let scheduler = TestScheduler()
  private static let quiet = ExecutionMode.switchLatest("list", after: .milliseconds(300))

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
    let fates = screen.fates(scheduler)
    for name in ["a", "b", "c"] {
      screen.execute(Step(name), mode: Self.quiet)
      scheduler.advance(by: .milliseconds(200))
    }
    scheduler.run()
    #expect(
      fates.events == events([200: "a cancelled", 400: "b cancelled", 700: "c started", 700: "c completed"]))
  }

  @Test(arguments: [
    ExecutionMode.dropWhileBusy("list"), .sequence("list"), .parallel("list", limit: 2), .parallel, .switchLatest,
    .dropWhileBusy,
  ])
  func anActionThatDoesNotTakeItsPlaceDoesNotStartTheTimeAgain(mode: ExecutionMode) {
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates(scheduler)
    screen.execute(Step("a"), mode: Self.quiet)
    scheduler.advance(by: .milliseconds(200))
    screen.execute(Step("x"), mode: mode)
    scheduler.run()
    let own = fates.events.filter { if case .next(let fate) = $0.event { fate.hasPrefix("a") } else { false } }
    #expect(own == events([300: "a started", 300: "a completed"]))
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
}
