import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@Suite("Recordings in tests") struct ReplayTests {
  private let stale = """
    RxViewModel recording 2
    ["model",0,0,"search","RxViewModel<SeekAction, SeekState>",null]
    ["action",320,0,301,{"search":{"_0":"a"}}]
    ["action",320,0,302,{"search":{"_0":"ab"}}]
    ["answer",323,0,302,"find ab",1,["ab"]]
    ["answer",323,0,301,"find a",1,["a"]]
    end
    """

  private func play(_ mode: ExecutionMode) throws -> ReplayReport {
    try replay(Recording(stale)) { run in
      let model = seek(run.recorder, mode, on: run.scheduler) { _ in [] }
      try run.play {
        let state = model.currentState
        try run.expect(state.results.isEmpty || state.results == [state.text])
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aStaleAnswerFailsAndIsShrunk() throws {
    let failure = #expect(throws: TestFailure.self) { try play(.parallel) }
    #expect("\(failure!)".contains("fails with 4 of 5 entries"), "\(failure!)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func itPassesOnceMended() throws {
    let report = try play(.switchLatest)
    #expect(report.departures == [])
    #expect(report.entries == 5)
  }
  // contract 9.5
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aDebounceThatWasNotRecordedEndsWhenAnAnswerNeedsIt() throws {
    let marks = #"["event",324,0,302]\#n["event",324,0,302]\#n["answer",325"#
    let recording = try Recording(stale.replacing(#"["answer",323,0,301"#, with: marks + ",0,301"))
    var results: [String] = []
    let report = try replay(recording) { run in
      let model = seek(run.recorder, .switchLatest("search", after: .milliseconds(300)), on: run.scheduler) { _ in [] }
      try run.play()
      results = model.currentState.results
    }
    #expect(results == ["ab"])
    #expect(report.departures == [])
  }
}
