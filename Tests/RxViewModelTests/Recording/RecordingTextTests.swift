import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 8.1, 9.4
@Suite("The text of a recording") struct RecordingTextTests {
  private func error(_ text: String) -> RecordingError? {
    #expect(throws: RecordingError.self) { try Recording(text) }
  }

  private let head = "RxViewModel recording 2"

  @Test func aTextThatIsReadIsWrittenAgain() throws {
    let text = """
      RxViewModel recording 2
      ["model",0,0,"a","M",{"x":[1,2.5,null,true,"\\u2028"]}]
      ["action",320,0,301,{"search":{"_0":"a"}}]
      ["cancel",3,0,[301],0]
      end
      """
    let recording = try Recording(text)
    #expect(recording.description == text)
    #expect(recording.count == 3)
  }

  @Test func aLineSeparatorInsideAValueEndsNoLine() throws {
    let recorder = SessionRecorder()
    _ = recorder.value("text") { "a\u{2028}b\u{85}c\nd" }
    #expect(try Recording(recorder.recording.description).entries.map(\.kind) == [.value])
  }

  private indirect enum Nested: Error, Codable {
    case end
    case next(Nested)
  }

  @Test func anErrorThatIsNestedTooDeepLeavesTheTextReadable() async throws {
    let recorder = SessionRecorder()
    recorder.encode(errors: Nested.self)
    for depth in [10, 60] {
      let error = (0..<depth).reduce(Nested.end) { error, _ in .next(error) }
      await #expect(throws: Nested.self) { try await recorder.answer("ask") { throw error } }
    }
    let entries = try Recording(recorder.recording.description).entries
    #expect(entries.map { $0.json(7) == #"{"unrecorded":true}"# } == [false, true])
  }

  // The second half of a duration is above the largest `Int`, if the duration is negative or longer than nine seconds.
  @Test func aPageAndADurationComeBackAsTheyWere() throws {
    let recorder = SessionRecorder()
    let page = Page([Duration.seconds(-5), .seconds(10)], next: UInt64.max)
    _ = recorder.value("page") { page }
    try replay(recorder.recording) { run in
      #expect(run.recorder.value("page") { Page([], next: nil) } == page)
      try run.play()
    }
  }

  @Test func blankLinesAndIndentationMakeNoDifference() throws {
    #expect(try Recording("  \(head)  \n\n  [\"end\",1,0]\n end \n\n").count == 1)
    #expect(try Recording("\n \n\(head)\n[\"end\",1,0]\nend").count == 1)
  }

  @Test(arguments: [
    ("", 1), ("RxViewModel recording 1\nend", 1), ("hello", 1), ("RxViewModel recording 2", 2),
    ("RxViewModel recording 2\n[\"end\",1,0]", 3), ("RxViewModel recording 2\n[\"end\",1,0]\n[\"acti", 3),
    ("RxViewModel recording 2\n[\"unknown\",1,0]\nend", 2), ("RxViewModel recording 2\n[\"action\",1,0,1]\nend", 2),
    ("RxViewModel recording 2\n[\"action\",-1,0,1,2]\nend", 2), ("RxViewModel recording 2\n[]\nend", 2),
    ("RxViewModel recording 2\nend\nmore", 3), ("RxViewModel recording 2\n{}\nend", 2),
  ])
  func aBadTextThrowsOneSentenceWithItsLine(_ text: String, _ line: Int) {
    let error = error(text)
    #expect(error?.line == line)
    #expect(error?.description.hasPrefix("Line \(line): ") == true)
    #expect(error?.description.contains("\n") == false)
  }

  @Test(arguments: [200_000, 200_001]) func aTextOfMoreThan200000LinesThrows(_ count: Int) {
    let text = head + String(repeating: "\n", count: count - 1) + "end"
    #expect(((try? Recording(text)) != nil) == (count == 200_000))
  }

  // contract 9.3
  @Test(.stress) func theTextOfTheLongestRecordingCanBeRead() throws {
    let recorder = SessionRecorder(limit: .max)
    for number in 0..<200_010 { _ = recorder.value("number") { number } }
    #expect(try Recording(recorder.recording.description).count > 80_000)
  }

  @Test(.stress) func aMillionLinesThrow() {
    let text = "\(head)\n" + String(repeating: "[\"end\",1,0]\n", count: 1_000_000) + "end"
    #expect(error(text)?.line == 1)
  }

  @Test func deepNestingThrows() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(error("\(head)\n[\"action\",1,0,1,\(deep)]\nend")?.line == 2)
  }

  @Test func randomBytesAndMutationsNeverTrap() {
    var random = SplitMix64(seed: 47)
    let good = Array(
      "\(head)\n[\"action\",320,0,301,{\"search\":{\"_0\":\"a\"}}]\n[\"answer\",1,0,1,\"q\",1,[1]]\nend".utf8)
    for _ in 0..<2_000 {
      var bytes = good
      for _ in 0..<Int(random.next() % 4) + 1 {
        let index = Int(random.next() % UInt64(bytes.count))
        if random.next() % 2 == 0 {
          bytes[index] = UInt8(truncatingIfNeeded: random.next())
        } else {
          bytes.remove(at: index)
        }
      }
      guard let recording = try? Recording(String(decoding: bytes, as: UTF8.self)) else { continue }
      // A text that is read is played, whatever it says.
      _ = try? replay(recording) { run in
        let model = seek(run.recorder, .parallel, on: run.scheduler) { _ in [] }
        try run.play()
        withExtendedLifetime(model) {}
      }
    }
  }
}
