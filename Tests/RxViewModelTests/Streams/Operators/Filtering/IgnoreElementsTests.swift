import RxViewModel
import Testing

@testable import TestSupport

@Suite struct IgnoreElementsTests {
  // contract 2.3: an effect that completes without a mapper emits the current state once
  @Test func aWriteIsAnEffect() async throws {
    let (screen, written) = (Screen(), Locked(0))
    let journal = Journal(screen)
    try await screen.perform(
      Step("save") {
        .task { written.mutate { $0 += 1 } }.ignoreElements()
      })
    #expect(written.value == 1)
    #expect(
      journal.news == ["save started", "state ", "save made ", "save emitted ", "save completed "])
    await #expect(throws: TestError.self) {
      try await screen.perform(Step("fail") { .task { throw TestError() }.ignoreElements() })
    }
  }

  // contract 2.6, 2.10
  @Test func anActionThatIsNotPossibleNowEndsAsCancelled() async {
    let screen = Screen()
    let journal = Journal(screen)
    await #expect(throws: CancellationError.self) { try await screen.perform(Step("login") { .cancelled() }) }
    #expect(journal.news == ["login started", "login cancelled"])
    #expect(screen.handled.value.isEmpty)
  }
}
