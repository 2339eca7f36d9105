import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2: the emissions of a view model, in virtual time
@Suite struct StreamTests {
  private let scheduler = TestScheduler()

  // contract 2.4, 2.5
  @Test func theStateStreamStartsWithTheInitialState() {
    let screen = Screen(scheduler: scheduler)
    #expect(screen.initialStates.value == 1)
    #expect(screen.currentState == [])
    #expect(screen.stateObservable.test().values == [[]])
    #expect(screen.isLoadingObservable.test().values == [false])
    #expect(screen.actionAndStateObservable.test().events.isEmpty)
    #expect(screen.errorObservable.test().events.isEmpty)
    #expect(screen.executionObservable.test().events.isEmpty)
    scheduler.run()
    #expect(screen.initialStates.value == 1)
  }

  // contract 2.7
  @Test func anActionEmitsInOrder() {
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    screen.execute(Step("a", spins: true))
    #expect(journal.lines == ["loading false", "state "])
    scheduler.run()
    #expect(
      journal.news == [
        "loading true", "a started", "state a", "a made a", "a emitted a", "a completed a", "loading false",
      ])
  }

  // contract 2.3: an observable that completes without a mapper
  @Test(arguments: [true, false])
  func anEmptyEffectEmitsTheStateOnce(isUnchanged: Bool) {
    let screen = Screen(scheduler: scheduler)
    screen.execute(Step("a"))
    scheduler.run()
    let journal = Journal(screen)
    screen.execute(Step("b") { isUnchanged ? .unchanged() : .empty() })
    scheduler.run()
    #expect(
      journal.news == ["b started", "state a", "b made a", "b emitted a", "b completed a"])
  }

  // contract 2, misuse: the trap names the class and the override that it lacks
  @Test(.ownThread) func aMissingOverrideIsNamed() async throws {
    // Sendable: it stores nothing.
    final class Incomplete: RxViewModel<Int, Int>, @unchecked Sendable {}
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Incomplete() })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Incomplete must override createInitialState()"))
  }
}
