import RxViewModelTesting
import Testing

@testable import App

/// A service without `nonisolated` compiles. The failure of its test says what is wrong.
// contract 4.6
struct IsolatedServiceTests {
  private struct Held: CityService {
    let run: Exploration

    func find(_ text: String) async throws -> [String] {
      try await run.arrival("answer to \(text)")
      return [text]
    }
  }

  private struct Immediate: CityService {
    func find(_ text: String) async throws -> [String] { [text] }
  }

  private func expectSentence(_ failure: TestFailure?) {
    let text = failure?.description ?? ""
    #expect(text.contains(#"The effect of search("a") waits outside the scheduler"#), "\(text)")
    #expect(text.contains("main actor") && text.contains("`nonisolated`"))
  }

  @Test func exploreNamesTheAction() {
    expectSentence(
      #expect(throws: TestFailure.self) {
        try explore { run in
          let cities = Cities(service: Held(run: run), scheduler: run.scheduler)
          cities.execute(.search("a"))
          run.allArrive()
          try run.expect(cities.currentState.results == ["a"])
        }
      })
  }

  @Test func aStoreNamesTheAction() {
    let scheduler = TestScheduler()
    expectSentence(
      #expect(throws: TestFailure.self) {
        try withTestStore(Cities(service: Immediate(), scheduler: scheduler)) { store in
          try store.send(.search("a")) { $0.results = ["a"] }
        }
      })
  }
}
