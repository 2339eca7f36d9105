import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.5
/// A folder of recordings is a test.
struct ReplayFolderTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recordings-\(UUID())")

  private func withFolder(_ recordings: [String: String], _ body: (String) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in recordings {
      try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    try body(folder.path)
  }

  private func recording(_ numbers: ClosedRange<Int>) -> String {
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let model = recordedLines(recorder, on: scheduler)
    for number in numbers { model.execute(.add(number)) }
    scheduler.run()
    return recorder.recording.description
  }

  @Test func playsEachRecordingAndReturnsItsReport() throws {
    try withFolder(["a.recording": recording(1...2), "b.recording": recording(3...3), "notes.txt": "no recording"]) {
      path in
      var states: [[String]] = []
      let reports = try replay(allIn: path) { run in
        let model = recordedLines(run.recorder, on: run.scheduler)
        try run.play()
        states.append(model.currentState)
      }
      #expect(states == [["1", "2"], ["3"]])
      #expect(reports.mapValues(\.departures) == ["a.recording": [], "b.recording": []])
    }
  }

  @Test func aStateThatDiffersFailsWithTheFileAndTheDifference() throws {
    let other = recording(1...2).replacingOccurrences(of: #"["1","2"]"#, with: #"["1","3"]"#)
    try withFolder(["a.recording": recording(1...2), "b.recording": other, "c.recording": "nothing"]) { path in
      let failure = #expect(throws: TestFailure.self) {
        try replay(allIn: path) { run in
          let model = recordedLines(run.recorder, on: run.scheduler)
          try run.play()
          withExtendedLifetime(model) {}
        }
      }
      let text = "\(failure!)"
      #expect(text.hasPrefix("2 of 3 recordings fail, ReplayFolderTests.swift:"), "\(text)")
      #expect(!text.contains("a.recording"))
      #expect(
        text.contains("  b.recording:") && text.contains(#"-   - "3""#) && text.contains(#"+   - "2""#), "\(text)")
      #expect(text.contains("run.compare") && text.contains("  c.recording:\n    Line 1: "), "\(text)")
    }
  }

  // The states have had one more element in the recording, which the app leaves out on purpose today.
  @Test func aFunctionBringsBothStatesIntoOneForm() throws {
    let other = recording(1...2).replacingOccurrences(of: #"["1","2"]"#, with: #"["1","2","old"]"#)
    try withFolder(["a.recording": other]) { path in
      try replay(allIn: path) { run in
        run.compare([String].self) { state in state.filter { $0 != "old" } }
        let model = recordedLines(run.recorder, on: run.scheduler)
        try run.play()
        withExtendedLifetime(model) {}
      }
    }
  }

  @Test(arguments: [false, true]) func aFolderWithoutARecordingFails(_ exists: Bool) throws {
    try withFolder(["notes.txt": ""]) { path in
      let path = exists ? path : "no folder"
      let failure = #expect(throws: TestFailure.self) { try replay(allIn: path) { _ in } }
      #expect("\(failure!)".hasPrefix("There is no recording in \(path)"), "\(failure!)")
    }
  }
}
