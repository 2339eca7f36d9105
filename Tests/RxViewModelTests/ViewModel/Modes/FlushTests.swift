import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, execution modes: `flush`
struct FlushTests {
  private let scheduler = TestScheduler()

  @Test(arguments: [
    ExecutionMode.switchLatest("draft", after: .seconds(1)), .keepLatest("draft", after: .seconds(1)),
  ])
  func whatIsDebouncedStartsBeforeWhatComesLater(mode: ExecutionMode) {
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates(scheduler)
    screen.execute(Step("a"), mode: mode)
    screen.flush("draft")
    screen.execute(Step("b"))
    scheduler.run()
    #expect(fates.events == events([0: "a started", 0: "a completed", 0: "b started", 0: "b completed"]))
    // The timer is disposed.
    #expect(scheduler.now == .zero)
  }

  @Test func anActionExecutedLaterIsDebounced() {
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates(scheduler)
    screen.flush("draft")
    screen.execute(Step("a"), mode: .keepLatest("draft", after: .seconds(1)))
    screen.flush("other")
    scheduler.run()
    #expect(fates.events == events([1_000: "a started", 1_000: "a completed"]))
  }

  // It ends the debounce, and not the wait for the turn.
  @Test func aFlushedOneWaitsForTheOneThatRuns() {
    let screen = Screen(scheduler: scheduler)
    let (fates, gate) = (screen.fates(), PublishSubject<Int>())
    screen.execute(Step("a", on: gate), mode: .keepLatest("draft"))
    screen.execute(Step("b"), mode: .keepLatest("draft", after: .seconds(1)))
    screen.flush("draft")
    scheduler.advance(by: .milliseconds(1))
    #expect(fates.values == ["a started"])
    gate.onCompleted()
    scheduler.advance()
    #expect(fates.values == ["a started", "a completed", "b started", "b completed"])
  }

  // A view that flushes and goes away loses nothing, and one that has ended does nothing.
  @Test func itKeepsTheViewModelAliveUntilItsTurn() {
    let saved = Locked<[String]>([])
    var screen: Screen? = Screen(scheduler: scheduler)
    let save = Step("a") {
      saved.append("a")
      return .unchanged()
    }
    screen!.execute(save, mode: .keepLatest("draft", after: .seconds(1)))
    screen!.flush("draft")
    screen = nil
    scheduler.run()
    #expect(saved.value == ["a"])
    let cleared = Screen(scheduler: scheduler)
    cleared.execute(save, mode: .keepLatest("draft", after: .seconds(1)))
    cleared.clear()
    cleared.flush("draft")
    scheduler.run()
    #expect(saved.value == ["a"])
  }
}
