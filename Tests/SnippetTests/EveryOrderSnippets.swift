// The code of the page *Every order*, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

nonisolated enum CityAction: Codable, Sendable {
  case search(String)
}

nonisolated struct CityState: Sendable, Equatable {
  var text = ""
  var results: [String] = []
}

class CitySearch: RxViewModel<CityAction, CityState>, @unchecked Sendable {
  private let find: @Sendable (String) async throws -> [String]

  init(scheduler: (any Scheduler)? = nil, find: @escaping @Sendable (String) async throws -> [String]) {
    self.find = find
    super.init(initialState: CityState(), scheduler: scheduler)
  }

  override func createObservable(_ action: CityAction) -> Effect {
    switch action {
    case .search(let text):
      let find = find
      let answer = Observable.task { try await find(text) }
      return .mutate { $0 = CityState(text: text) }.concat(answer.mutate { $0.results = $1 })
    }
  }
}

/// The fixed search of the page.
private final class NewestCitySearch: CitySearch, @unchecked Sendable {
  override func executionMode(for action: CityAction) -> ExecutionMode {
    .switchLatest
  }
}

nonisolated enum DraftAction: Sendable, Equatable {
  case save(String)
}

class Draft: RxViewModel<DraftAction, String>, @unchecked Sendable {
  private let save: @Sendable (String) async throws -> Void

  init(scheduler: (any Scheduler)? = nil, save: @escaping @Sendable (String) async throws -> Void) {
    self.save = save
    super.init(initialState: "", scheduler: scheduler)
  }

  override func createObservable(_ action: DraftAction) -> Effect {
    switch action {
    case .save(let text):
      let save = save
      return Observable.task { try await save(text) }.mutate { saved, _ in saved = text }
    }
  }

  override func executionMode(for action: DraftAction) -> ExecutionMode { .keepLatest }
}

private final class CancelledDraft: Draft, @unchecked Sendable {
  override func executionMode(for action: DraftAction) -> ExecutionMode { .switchLatest }
}

// contract 4.6
/// The article on every order.
struct EveryOrderSnippets {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theStaleAnswerIsFound() throws {
    let failure = #expect(throws: TestFailure.self) {
      // The article's code.
      try explore { run in
        let model = CitySearch(scheduler: run.scheduler) { text in
          try await run.arrival("answer to \(text)")
          return [text]
        }
        model.execute(.search("a"))
        run.mayArrive()
        model.execute(.search("ab"))
        run.allArrive()
        return model.currentState
      }
    }
    #expect(
      failure?.description.hasPrefix(
        "ends differently from the simplest order in 1 of 3 orders, first in \"0-1-0\", ") == true)
    #expect(
      failure?.description.hasSuffix(
        """
          search("a")  search("ab")
          starts                     text: "" → "a"
                       starts        text: "a" → "ab"
                       answer to ab  results: [] → ["ab"]
          answer to a                results: ["ab"] → ["a"]
        in "0-0-0":
          search("a")  search("ab")
          starts                     text: "" → "a"
                       starts        text: "a" → "ab"
          answer to a                results: [] → ["a"]
                       answer to ab  results: ["a"] → ["ab"]
        The outcome depends on the order of the responses: results
        - "0-0-0"
        + "0-1-0"
          ▿ CityState
            - text: "ab"
            ▿ results: 1 element
        -     - "ab"
        +     - "a"
        If both are correct, say what all correct values have in common: explore { … } allowing: { value in … }
        """) == true)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aSaveThatIsNeverCancelledIsTheLastOne() throws {
    let report =
      try explore { run in
        let server = MutableProperty("")
        let draft = Draft(scheduler: run.scheduler) { text in
          try await run.request("save \(text)") { server.value = text }
        }
        draft.execute(.save("a"))
        run.mayArrive()
        draft.execute(.save("ab"))
        run.allArrive()
        try run.expect(server.value, equals: "ab")
      }
    #expect(report.isExhaustive)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aCancelledSaveMayReachTheServerLast() throws {
    let failure = #expect(throws: TestFailure.self) {
      try explore { run in
        let server = MutableProperty("")
        let draft = CancelledDraft(scheduler: run.scheduler) { text in
          try await run.request("save \(text)") { server.value = text }
        }
        draft.execute(.save("a"))
        run.mayArrive()
        draft.execute(.save("ab"))
        run.allArrive()
        try run.expect(server.value, equals: "ab")
      }
    }
    #expect(failure?.description.contains("superseded by save(\"ab\")") == true)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aStateThatIsWrongForAMomentIsFound() {
    let failure = #expect(throws: TestFailure.self) {
      try explore { run in
        let model = CitySearch(scheduler: run.scheduler) { text in
          try await run.arrival("answer to \(text)")
          return [text]
        }
        run.always(model, "results of another text") { $0.results.isEmpty || $0.results == [$0.text] }
        model.execute(.search("a"))
        run.mayArrive()
        model.execute(.search("ab"))
        run.allArrive()
      }
    }
    #expect(failure?.description.contains("results of another text") == true)
  }

  let issues: IssueBridge = { body, report in
    withKnownIssue(
      isIntermittent: true, body,
      matching: { issue in
        report("\(issue)")
        return true
      })
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anExpectationOfSwiftTestingFailsItsRun() throws {
    let failure = #expect(throws: TestFailure.self) {
      try explore(issues: issues) { run in
        let number = run.choose(1, 2)
        #expect(number == 1)
      }
    }
    #expect(failure?.description.hasPrefix("fails in 1 of 2 orders, first in \"1\", ") == true)
  }

  /// The article's steps for either search.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private static func search(isFixed: Bool) -> (Exploration) -> CityState {
    { run in
      let find = { @Sendable (text: String) in
        try await run.arrival("answer to \(text)")
        return [text]
      }
      let model =
        isFixed
        ? NewestCitySearch(scheduler: run.scheduler, find: find) : CitySearch(scheduler: run.scheduler, find: find)
      model.execute(.search("a"))
      run.mayArrive()
      model.execute(.search("ab"))
      run.allArrive()
      return model.currentState
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theCorrectedSearchPassesAndOneOrderIsReplayed() throws {
    let report = try explore(Self.search(isFixed: true))
    #expect(report.runs == 2)
    #expect(report.isExhaustive)
    let body = Self.search(isFixed: false)
    #expect(throws: TestFailure.self) { try explore(replaying: "0-1-0", body) }
    try explore(replaying: "0-0-0", body)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aGeneratorFindsItToo() throws {
    let failure = #expect(throws: TestFailure.self) {
      try explore(limit: 1_000) { run in
        let model = CitySearch(scheduler: run.scheduler) { text in
          try await run.arrival("answer to \(text)")
          return run.choose([text], [])
        }
        for _ in 0..<run.choose(0...10) {
          model.execute(.search(run.choose("a", "ab", "abc")))
          run.mayArrive()
          let state = model.currentState
          try run.expect(state.results.isEmpty || state.results == [state.text])
        }
      }
    }
    #expect(
      failure?.description.contains(
        " orders tried, first in \"2-1-0-0-1-0-0\", ") == true,
      "\(failure!)")
  }
}
