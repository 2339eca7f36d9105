import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Its timers call a closure when they are released.
private final class TimerScheduler: Scheduler {
  private final class Timer: Disposable {
    private let timer: any Disposable
    private let onDeinit: @Sendable () -> Void

    init(_ timer: any Disposable, _ onDeinit: @escaping @Sendable () -> Void) {
      (self.timer, self.onDeinit) = (timer, onDeinit)
    }

    func dispose() { timer.dispose() }

    deinit { onDeinit() }
  }

  let hand = HandScheduler()
  let onTimerDeinit = Locked<@Sendable () -> Void>({})

  func schedule(_ work: @escaping @Sendable () -> Void) { hand.schedule(work) }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    Timer(hand.schedule(after: delay, work)) { [onTimerDeinit] in onTimerDeinit.value() }
  }
}

/// Runs its first pieces of work at once, on the calling thread, and the others on another thread.
private final class MixedScheduler: Scheduler {
  private let inlineCount: Locked<Int>
  private let isAlternating: Bool

  init(inline count: Int, isAlternating: Bool = false) {
    inlineCount = Locked(count)
    self.isAlternating = isAlternating
  }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    let count = inlineCount.mutate { count in
      defer { count -= 1 }
      return count
    }
    if isAlternating ? count % 2 == 0 : count > 0 { work() } else { DispatchQueue.global().async { work() } }
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    DispatchQueue.global().schedule(after: delay, work)
  }
}

/// Drops its work while `isDropping` is true.
private final class DroppingScheduler: Scheduler {
  let isDropping = Locked(false)
  private let hand = HandScheduler()

  func schedule(_ work: @escaping @Sendable () -> Void) {
    if !isDropping.value { hand.schedule(work) }
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    hand.schedule(after: delay, work)
  }

  func run() { hand.run() }
}

// contract 1.3, 2.1, 2.2, 2.9: schedulers that a user has written
struct ForeignSchedulerTests {
  // contract 1.3
  @Test func noLockIsHeldWhileATimerIsReleased() async {
    let hasReturned = await finish {
      let (scheduler, calls) = (TimerScheduler(), Locked(0))
      let screen = Screen(scheduler: scheduler)
      scheduler.onTimerDeinit.mutate {
        $0 = { [weak screen] in
          screen?.cancelActions { _ in false }
          calls.mutate { $0 += 1 }
        }
      }
      screen.execute(Step("a", on: Observable<Int>.never()), mode: .switchLatest(after: .seconds(1)))
      scheduler.hand.run()
      scheduler.hand.passTime()
      scheduler.hand.run()
      #expect(calls.value == 1)
      #expect(screen.isLoadingObservable(where: { _ in true }).test().values == [true])
    }
    #expect(hasReturned)
  }

  @Test(.stress, arguments: [0, 1, 7, 200], [true, false])
  func aSchedulerThatRunsSomeWorkAtOnceAndSomeLaterLosesNothing(inline: Int, isAlternating: Bool) async {
    let (screen, done) = (Screen(scheduler: MixedScheduler(inline: inline, isAlternating: isAlternating)), Signal())
    let count = 5_000
    let (overlaps, isInside) = (Locked(0), Locked(false))
    let subscription = screen.executionObservable.subscribe(onNext: { execution in
      if case .completed = execution.phase, execution.action.name == "last" { done.fire() }
    })
    let step = Step("a") {
      .mutate { state in
        if isInside.exchange(for: true) { overlaps.mutate { $0 += 1 } }
        state = ["\(Int(state.first ?? "0")! + 1)"]
        isInside.mutate { $0 = false }
      }
    }
    await race(threads: 2) { _ in for _ in 0..<count { screen.execute(step) } }
    screen.execute(Step("last") { .unchanged() })
    #expect(await onThread { done.wait() })
    #expect(screen.currentState == ["\(2 * count)"])
    #expect(overlaps.value == 0)
    subscription.dispose()
  }

  // contract 2.9
  @Test(arguments: [true, false])
  func aSchedulerThatDropsTheLastTurnLeaksNothing(isCleared: Bool) {
    let (lifetimes, scheduler) = (Lifetimes(), DroppingScheduler())
    var screen: Screen? = Screen(scheduler: scheduler, tracker: lifetimes.make())
    let object = lifetimes.make()
    // The test retains this stream, and the stream retains the engine.
    let stream = screen!.stateObservable
    let subscription = stream.subscribe { [object = lifetimes.make()] _ in object.touch() }
    screen!.execute(
      Step("a") { [object] in
        Observable<Int>.never().mutate { _, _ in object.touch() }
      })
    for name in ["b", "c"] {
      let waiting = lifetimes.make()
      screen!.execute(
        Step(name) {
          waiting.touch()
          return .never()
        }, mode: .sequence)
    }
    scheduler.run()
    scheduler.isDropping.mutate { $0 = true }
    if isCleared { screen!.clear() }
    screen = nil
    withExtendedLifetime(object) { #expect(lifetimes.alive == 1) }
    #expect(stream.test().isCompleted)
    subscription.dispose()
  }
}
