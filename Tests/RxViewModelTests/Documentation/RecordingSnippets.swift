// The code of the article *From a bug report to a test*, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

// contract 9.5, 9.6
@Suite("The article on recordings") struct RecordingSnippets {
  // The tests of other articles have types with these names.
  typealias Recorder = RxViewModelRecording.Recorder

  enum CityAction: Codable, Sendable {
    case search(String)
  }

  class CitySearch: RxViewModel<CityAction, CityState>, @unchecked Sendable {
    private let find: @Sendable (String) async throws -> [String]

    init(scheduler: (any Scheduler)? = nil, find: @escaping @Sendable (String) async throws -> [String]) {
      self.find = find
      super.init(scheduler: scheduler)
    }

    override func createInitialState() -> CityState { CityState() }

    override func createObservable(_ action: CityAction) -> Observable<StateMapper<CityState>> {
      guard case .search(let text) = action else { return .empty() }
      let find = find
      let answer = Observable.task { try await find(text) }
      return .mutate { $0 = CityState(text: text) }.concat(answer.mutate { $0.results = $1 })
    }
  }

  static func cities(
    _ recorder: Recorder, on scheduler: (any Scheduler)? = nil,
    find: @escaping @Sendable (String) async throws -> [String]
  ) -> CitySearch {
    recorder.record("cities") {
      CitySearch(scheduler: scheduler) { text in try await recorder.answer("find \(text)") { try await find(text) } }
    }
  }

  private let text = """
    RxViewModel recording 1
    ["model",0,"cities","CitySearch",null]
    ["action",320,0,1,{"search":{"_0":"a"}}]
    ["action",410,0,2,{"search":{"_0":"ab"}}]
    ["answer",520,0,2,"find ab",1,["ab"]]
    ["event",520,0,2]
    ["answer",535,0,1,"find a",1,["a"]]
    ["event",535,0,1]
    end
    """

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theStaleAnswerIsShrunk() throws {
    let failure = #expect(throws: TestFailure.self) {
      // The article's code.
      try replay(Recording(text)) { run in
        let model = Self.cities(run.recorder, on: run.scheduler) { _ in [] }
        try run.play {
          try run.expect(model.currentState.results.isEmpty || model.currentState.results == [model.currentState.text])
        }
      }
    }
    // The text of the article, without the names of its test.
    let shown = """
        RxViewModel recording 1
        ["model",0,"cities","CitySearch",null]
        ["action",320,0,1,{"search":{"_0":"a"}}]
        ["action",410,0,2,{"search":{"_0":"ab"}}]
        ["answer",535,0,1,"find a",1,["a"]]
        end
      """
    #expect("\(failure!)".hasPrefix("fails with 4 of 7 entries"), "\(failure!)")
    #expect("\(failure!)".contains(shown), "\(failure!)")
  }

  enum SignIn: Codable, Sendable {
    case submit(name: String, password: String)
    case cancel
  }

  @Test func aPasswordIsRedacted() {
    let recorder = Recorder()
    recorder.redact(SignIn.self) { action in
      if case .submit(let name, _) = action { .submit(name: name, password: "") } else { action }
    }
    _ = recorder.value("sign-in") { SignIn.submit(name: "ann", password: "secret") }
    #expect(recorder.recording.description.contains("ann"))
    #expect(!recorder.recording.description.contains("secret"))
  }
}
