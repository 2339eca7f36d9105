import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
@Suite struct TestClockTests {
  private let scheduler = TestScheduler()

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func itIsAClock() async throws {
    let clock: any Clock<Duration> = scheduler.clock
    let (scheduler, woken) = (scheduler, Locked(false))
    let sleeper = Task(executorPreference: scheduler) {
      try await clock.sleep(for: .seconds(2))
      woken.mutate { $0 = true }
    }
    scheduler.advance(by: .seconds(1))
    #expect(!woken.value)
    #expect(scheduler.clock.now == TestClock.Instant(offset: .seconds(1)))
    scheduler.advance(by: .seconds(1))
    #expect(woken.value)
    try await sleeper.value
    #expect(scheduler.clock.now.duration(to: .init(offset: .seconds(5))) == .seconds(3))
    #expect(scheduler.clock.minimumResolution == .zero)
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

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aLoopThatSleepsUntilItIsCancelledEndsWithTheScheduler() async {
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
