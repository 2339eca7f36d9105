import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, execution modes: `keepLatest`
struct KeepLatestTests {
  private let scheduler = TestScheduler()
  private static let debounced = ExecutionMode.keepLatest("draft", after: .milliseconds(300))

  /// An action whose effect takes this time.
  private func step(_ name: String, _ milliseconds: Int) -> Step {
    let time = Duration.milliseconds(milliseconds)
    return Step(name, on: scheduler.coldObservable([Recorded(time, .next(0)), Recorded(time, .completed)]))
  }

  @Test func oneRunsAndTheNewestFollows() {
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates(scheduler)
    for name in ["a", "b", "c"] { screen.execute(step(name, 100), mode: .keepLatest) }
    scheduler.advance(by: .milliseconds(50))
    screen.execute(step("d", 100), mode: .keepLatest)
    scheduler.run()
    #expect(
      fates.events
        == events([
          0: "a started", 0: "b cancelled", 50: "c cancelled", 100: "a completed", 100: "d started",
          200: "d completed",
        ]))
    #expect(screen.currentState == ["a", "d"])
  }

  // It cancels what waits, and starts when both the time and the running action are over.
  @Test(arguments: [(150, 400), (600, 600)])
  func aDebouncedOneWaitsForTheTimeAndForItsTurn(duration: Int, start: Int) {
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates(scheduler)
    screen.execute(step("a", duration), mode: .keepLatest("draft"))
    for name in ["b", "c"] {
      screen.execute(step(name, 0), mode: Self.debounced)
      scheduler.advance(by: .milliseconds(100))
    }
    scheduler.run()
    let expected: [(Int, String)] =
      [(0, "a started"), (100, "b cancelled"), (duration, "a completed"), (start, "c started"), (start, "c completed")]
    #expect(fates.events == expected.map { Recorded(.milliseconds($0.0), .next($0.1)) })
  }

  @Test func aDebouncedOneStartsTheTimeAgain() {
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates(scheduler)
    for name in ["a", "b", "c"] {
      screen.execute(Step(name), mode: Self.debounced)
      scheduler.advance(by: .milliseconds(200))
    }
    scheduler.run()
    #expect(fates.events == events([200: "a cancelled", 400: "b cancelled", 700: "c started", 700: "c completed"]))
  }

  // An immediate one, such as a save button, takes the place of a debounced one.
  @Test func oneWithoutATimeDoesNotWaitForIt() {
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates(scheduler)
    screen.execute(Step("a"), mode: Self.debounced)
    screen.execute(Step("b"), mode: .keepLatest("draft"))
    scheduler.run()
    #expect(fates.events == events([0: "a cancelled", 0: "b started", 0: "b completed"]))
  }

  @Test func itCancelsOnlyWaitingActionsOfItsKind() {
    let screen = Screen(scheduler: scheduler)
    screen.execute(step("a", 100), mode: .keepLatest("draft"))
    screen.execute(Step("b"), mode: .sequence("draft"))
    screen.execute(Step("c"), mode: .keepLatest("draft"))
    screen.execute(Step("d"), mode: .parallel("draft", limit: 2))
    screen.execute(Step("e"), mode: .keepLatest("draft"))
    screen.execute(Step("f"), mode: .keepLatest("other"))
    scheduler.run()
    #expect(screen.currentState == ["f", "a", "b", "d", "e"])
  }

  @Test func aFailureLetsTheNewestStart() {
    let screen = Screen(scheduler: scheduler)
    let failing = scheduler.coldObservable([Recorded<Int>(.milliseconds(10), .error(Offline()))])
    screen.execute(Step("a", on: failing), mode: .keepLatest)
    for name in ["b", "c"] { screen.execute(Step(name), mode: .keepLatest) }
    scheduler.run()
    #expect(screen.currentState == ["c"])
  }
}
