import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
struct TestClockTests {
  private let scheduler = TestScheduler()

  @Test func itsInstantsAreTimesOfTheScheduler() {
    scheduler.advance(by: .seconds(1))
    #expect(scheduler.clock.now == TestClock.Instant(offset: .seconds(1)))
    #expect(scheduler.clock.now.duration(to: .init(offset: .seconds(4))) == .seconds(3))
  }

  @Test func aSleepUntilAPastDeadlineReturnsAtOnce() async throws {
    try await scheduler.clock.sleep(for: .zero)
    try await scheduler.clock.sleep(for: .seconds(-1))
    #expect(scheduler.pendingCount == 0)
  }

  @Test func aCancelledTaskDoesNotSleep() async {
    let clock = scheduler.clock
    let sleeper = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(scheduler.pendingCount == 0)
  }

  @Test func aSleepOnTheClockOfAReleasedSchedulerThrows() async {
    let clock = TestScheduler().clock
    // The sleep runs in a task of its own, because it cancels its task.
    let sleep = Task { try await clock.sleep(for: .seconds(1)) }
    await #expect(throws: CancellationError.self) { try await sleep.value }
  }

  @Test(.asyncEffects) func aLoopThatSleepsUntilItIsCancelledEndsWithTheScheduler() async {
    let ended = Signal()
    do {
      let scheduler = TestScheduler()
      let clock = scheduler.clock
      let loop = Observable.task {
        while !Task.isCancelled { try? await clock.sleep(for: .seconds(1)) }
        ended.fire()
      }
      _ = loop.test(scheduler)
      scheduler.advance(by: .seconds(3))
    }
    #expect(await onThread { ended.wait() })
  }

  // contract 1.3
  @Test func cancellationsAndDeadlinesFromTwoThreadsEndEachSleepOnce() async throws {
    for _ in 0..<200 {
      let scheduler = TestScheduler()
      let clock = scheduler.clock
      let sleepers = (0..<8).map { _ in Task { try? await clock.sleep(for: .milliseconds(1)) } }
      try #require(await eventually { scheduler.pendingCount == 8 })
      let canceller = Task.detached { for sleeper in sleepers { sleeper.cancel() } }
      scheduler.advance(by: .milliseconds(1))
      for sleeper in sleepers { await sleeper.value }
      await canceller.value
      #expect(scheduler.pendingCount == 0)
    }
  }
}
