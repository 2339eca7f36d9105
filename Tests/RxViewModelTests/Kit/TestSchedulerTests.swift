import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
struct TestSchedulerTests {
  @Test func runsByTimeThenInOrder() {
    let (scheduler, log) = (TestScheduler(), Locked<[String]>([]))
    _ = scheduler.schedule(after: .seconds(2)) { log.append("late") }
    _ = scheduler.schedule(after: .seconds(1)) {
      log.append("first")
      scheduler.schedule { log.append("meanwhile") }
    }
    _ = scheduler.schedule(after: .seconds(1)) { log.append("second") }
    _ = scheduler.schedule(after: .seconds(-1)) { log.append("now") }
    scheduler.advance()
    #expect(log.value == ["now"])
    scheduler.advance(by: .seconds(1))
    #expect(log.value == ["now", "first", "second", "meanwhile"])
    #expect(scheduler.now == .seconds(1))
    scheduler.run()
    #expect(log.value.last == "late")
    #expect(scheduler.now == .seconds(2))
    scheduler.advance(by: .seconds(5))
    #expect(scheduler.now == .seconds(7))
  }

  @Test func remainingWorkRunsByTimeAndThenInTheOrderOfScheduling() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let (scheduler, order) = (TestScheduler(), Locked<[Int]>([]))
      let delays = (0..<60).map { _ in Int.random(in: 0..<20, using: &random) }
      let works = delays.indices.map { number in
        scheduler.schedule(after: .milliseconds(delays[number])) { order.append(number) }
      }
      let disposed = Set((0..<20).map { _ in Int.random(in: 0..<60, using: &random) })
      for number in disposed {
        works[number].dispose()
        works[number].dispose()
      }
      #expect(scheduler.pendingCount == 60 - disposed.count)
      scheduler.run()
      #expect(
        order.value == delays.indices.filter { !disposed.contains($0) }.sorted { (delays[$0], $0) < (delays[$1], $1) })
      for work in works { work.dispose() }
      #expect(scheduler.pendingCount == 0)
    }
  }

  // A timer that every event restarts takes no memory for the earlier ones.
  @Test func disposedWorkTakesNoMemory() {
    let (scheduler, kept) = (TestScheduler(), Locked(0))
    for number in 0..<100 { _ = scheduler.schedule(after: .seconds(number)) { kept.increment() } }
    for number in 0..<50_000 { scheduler.schedule(after: .seconds(number % 1_000), {}).dispose() }
    #expect(scheduler.pendingCount == 100)
    scheduler.run()
    #expect(kept.value == 100)
    #expect(scheduler.now == .seconds(99))
  }

  // MARK: A closure of the test

  @Test func runReturnsTheResultAndRunsOnlyWhatIsDue() throws {
    let (scheduler, times) = (TestScheduler(), Locked<[Duration]>([]))
    let result = scheduler.run {
      scheduler.schedule { times.append(scheduler.now) }
      _ = scheduler.schedule(after: .seconds(1)) { times.append(scheduler.now) }
      return times.value.count
    }
    #expect(result == 0 && times.value == [.zero] && scheduler.pendingCount == 1)
  }

  @Test func runRethrowsAndRunsNothingMore() {
    let scheduler = TestScheduler()
    #expect(throws: TestError.self) {
      try scheduler.run {
        scheduler.schedule {}
        throw TestError()
      }
    }
    #expect(scheduler.pendingCount == 1)
  }

  // MARK: Limits

  @Test func aRunMayTakeAsManyPiecesOfWorkAsItsLimit() {
    let (scheduler, count) = (TestScheduler(), Locked(0))
    for _ in 0..<5 { scheduler.schedule { count.increment() } }
    scheduler.run(limit: 5)
    #expect(count.value == 5)
  }

  // The limit counts the pieces of work at one instant, so it does not limit the time.
  @Test func anAdvanceMayTakeAsManyPiecesOfWorkAtAnInstantAsItsLimit() {
    let (scheduler, count) = (TestScheduler(), Locked(0))
    for second in 0..<9 {
      for _ in 0..<5 { _ = scheduler.schedule(after: .seconds(second)) { count.increment() } }
    }
    scheduler.advance(by: .seconds(9), limit: 5)
    #expect(count.value == 45)
  }

  #if os(macOS) || os(Linux)
    @Test(.ownThread) func aRunWithoutAnEndIsTrappedWithASentence() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler()
        _ = Observable.interval(.seconds(1), scheduler: scheduler).test(scheduler)
        scheduler.run(limit: 1_000)
      }
      #expect(
        standardError(of: result).contains(
          "TestScheduler.run: not done after 1000 pieces of work, at 1000.0 seconds"))
    }

    @Test(.ownThread) func anAdvanceWithoutAnEndIsTrappedWithASentence() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler()
        @Sendable func again() { scheduler.schedule { again() } }
        _ = scheduler.schedule(after: .seconds(1)) { again() }
        scheduler.advance(by: .seconds(2), limit: 1_000)
      }
      #expect(
        standardError(of: result).contains(
          "TestScheduler.advance: 1000 pieces of work at 1.0 seconds, and more is due then"))
    }

    // Without a limit of the test's.
    @Test(.stress, .ownThread) func aForgottenIntervalDoesNotHangATest() async {
      await #expect(processExitsWith: .failure) {
        let scheduler = TestScheduler()
        _ = Observable.interval(.seconds(1), scheduler: scheduler).subscribe { _ in }
        scheduler.run()
      }
    }
  #endif
}
