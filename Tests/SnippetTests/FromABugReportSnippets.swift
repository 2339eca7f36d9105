// The code of the page *From a bug report to a test*, word for word. `SnippetTests` compares the two.
import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.5, 9.6
/// The article on recordings.
struct FromABugReportSnippets {
  // The tests of other articles have types with these names.
  typealias Recorder = RxViewModelRecording.Recorder

  static func cities(
    _ recorder: Recorder, on scheduler: (any Scheduler)? = nil,
    find: @escaping @Sendable (String) async throws -> [String]
  ) -> CitySearch {
    recorder.record("cities") {
      CitySearch(scheduler: scheduler) { text in try await recorder.answer("find \(text)") { try await find(text) } }
    }
  }

  private let text = """
    RxViewModel recording 3
    ["model",0,0,null,null,"cities","CitySearch"]
    ["action",320,0,1,{"search":{"_0":"a"}}]
    ["action",410,0,2,{"search":{"_0":"ab"}}]
    ["answer",520,0,2,["ab"],"find ab",1]
    ["event",520,0,2]
    ["answer",535,0,1,["a"],"find a",1]
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
        RxViewModel recording 3
        ["model",0,0,null,null,"cities","CitySearch"]
        ["action",320,0,1,{"search":{"_0":"a"}}]
        ["action",410,0,2,{"search":{"_0":"ab"}}]
        ["answer",535,0,1,["a"],"find a",1]
        end
      """
    #expect("\(failure!)".hasPrefix("fails with 4 of 7 entries"), "\(failure!)")
    #expect("\(failure!)".contains(shown), "\(failure!)")
    let table = """
        search("a")     search("ab")
        executed                      text: "" → "a"
                        executed      text: "a" → "ab"
        find a → ["a"]                results: [] → ["a"]
      """
    #expect("\(failure!)".contains(":\n\(table)\n"), "\(failure!)")
    // A condition that is false without any entry shrinks to none.
    let failsAlways = #expect(throws: TestFailure.self) {
      try replay(Recording(text)) { run in
        let model = Self.cities(run.recorder, on: run.scheduler) { _ in [] }
        try run.play { try run.expect(model.currentState.results == ["ab"]) }
      }
    }
    #expect("\(failsAlways!)".contains("fails with 1 of 7 entries"), "\(failsAlways!)")
  }

  // MARK: A list that keeps its old rows

  /// Keeps the old rows until the answer comes.
  class KeepingCitySearch: CitySearch, @unchecked Sendable {
    override func createObservable(_ action: CityAction) -> Effect {
      guard case .search(let text) = action else { return .empty() }
      return .mutate { $0.text = text }.concat(super.createObservable(action).skip(1))
    }
  }

  nonisolated final class NewestKeepingCitySearch: KeepingCitySearch, @unchecked Sendable {
    override func executionMode(for action: CityAction) -> ExecutionMode { .switchLatest }
  }

  private func playKeptRows(_ make: (Replay, @escaping @Sendable (String) async throws -> [String]) -> CitySearch)
    throws
  {
    try replay(Recording(text)) { run in
      let recorder = run.recorder
      let model = recorder.record("cities") {
        make(run) { text in try await recorder.answer("find \(text)") { [] } }
      }
      // The article's code.
      var before: [String] = []
      try run.play {
        let (text, results) = (model.currentState.text, model.currentState.results)
        try run.expect(results.allSatisfy { before.contains($0) || $0.hasPrefix(text) })
        before = results
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aRowThatAppearsBelongsToTheText() throws {
    let failure = #expect(throws: TestFailure.self) {
      try playKeptRows { run, find in KeepingCitySearch(scheduler: run.scheduler, find: find) }
    }
    #expect("\(failure!)".hasPrefix("fails with 4 of 7 entries"), "\(failure!)")
    try playKeptRows { run, find in NewestKeepingCitySearch(scheduler: run.scheduler, find: find) }
  }

  // MARK: Streams and values

  nonisolated final class Session: Sendable {
    let isOnline = MutableProperty(false)
    let zone = MutableProperty("CET")
  }

  nonisolated struct DeparturesState: Codable, Sendable, Equatable {
    var isOnline = false
    var lines: [String] = []
  }

  nonisolated enum DeparturesAction: Codable, Sendable {
    case refresh
  }

  class Departures: RxViewModel<DeparturesAction, DeparturesState>, @unchecked Sendable {
    private let isOnline: Observable<Bool>
    private let zone: @Sendable () -> String
    private let now: @Sendable () -> Date

    init(
      scheduler: (any Scheduler)?, isOnline: Observable<Bool>, zone: @escaping @Sendable () -> String,
      now: @escaping @Sendable () -> Date
    ) {
      (self.isOnline, self.zone, self.now) = (isOnline, zone, now)
      super.init(initialState: DeparturesState(), scheduler: scheduler)
    }

    override func createSources() -> [Effect] {
      [isOnline.mutate { $0.isOnline = $1 }]
    }

    override func createObservable(_ action: DeparturesAction) -> Effect {
      let line = "\(now().timeIntervalSince1970) \(zone())"
      return .mutate { $0.lines.append(line) }
    }
  }

  static func departures(_ recorder: Recorder, on scheduler: (any Scheduler)? = nil, _ session: Session) -> Departures {
    recorder.record("departures") {
      Departures(
        scheduler: scheduler,
        isOnline: session.isOnline.asObservable().recorded("online", by: recorder),
        zone: { recorder.value("zone") { session.zone.value } },
        now: { recorder.value("now") { Date() } })
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func propertiesAndDatesComeFromTheRecording() async throws {
    let (recorder, session) = (Recorder(), Session())
    let model = Self.departures(recorder, session)
    session.isOnline.value = true
    session.zone.value = "UTC"
    try await model.perform(.refresh)
    #expect(await eventually { model.currentState.isOnline })
    let states = Locked<[DeparturesState]>([])
    let report = try replay(recorder.recording) { run in
      let model = Self.departures(run.recorder, on: run.scheduler, Session())
      try run.play()
      states.mutate { $0.append(model.currentState) }
    }
    #expect(states.value == [model.currentState])
    #expect(report.departures == [])
  }
}

// MARK: Into the crash reporter

extension FromABugReportSnippets {
  nonisolated struct RecordingFile: Sendable {
    let url: URL

    /// Replaces the file. If the app crashes in the middle of it, the previous file is kept.
    func write(_ recorder: Recorder) {
      try? Data(recorder.recording.description.utf8).write(to: url, options: .atomic)
    }

    /// The text that the app's previous run wrote.
    func take() -> String? {
      defer { try? FileManager.default.removeItem(at: url) }
      return try? String(contentsOf: url, encoding: .utf8)
    }
  }

  /// Stands for the SDK of a crash reporter.
  nonisolated final class CrashReporter {
    final class Report {
      var attachments: [String: String] = [:]

      func attach(_ text: String, name: String) { attachments[name] = text }
    }

    var onReport: (Report) -> Void = { _ in }
  }

  @Test func aReportTakesTheTextAlong() throws {
    let crashReporter = CrashReporter()
    let recorder = Recorder(limit: 300)
    crashReporter.onReport = { report in
      report.attach(recorder.recording.description, name: "recording.txt")
    }
    _ = recorder.value("now") { 1 }
    let report = CrashReporter.Report()
    crashReporter.onReport(report)
    #expect(try Recording(report.attachments["recording.txt"] ?? "").count == 1)

    let file = RecordingFile(url: FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt"))
    file.write(recorder)
    file.write(recorder)
    #expect(file.take() == recorder.recording.description)
    #expect(file.take() == nil)
  }
}
