import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.4
struct RecordingTextTests {
  private static let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
  private let recorder = SessionRecorder(limit: 64)
  private let scheduler = TestScheduler()
  private let head = "RxViewModel recording 3"

  @Test func aTextThatIsReadIsWrittenAgain() throws {
    let text = """
      RxViewModel recording 3
      ["model",0,0,null,{"x":[1,2.5,null,true,"\\u2028"]},"a","M"]
      ["action",320,0,301,{"search":{"_0":"a"}}]
      ["cancel",3,0,null,[301]]
      end
      """
    let recording = try Recording(text)
    #expect(recording.description == text)
    #expect(recording.count == 3)
  }

  @Test func aLineSeparatorInsideAValueEndsNoLine() throws {
    _ = recorder.value("text") { "a\u{2028}b\u{85}c\nd" }
    #expect(try Recording(recorder.recording.description).entries.map(\.kind) == [.value])
  }

  @Test func blankLinesAndIndentationMakeNoDifference() throws {
    #expect(try Recording("  \(head)  \n\n  [\"end\",1,0]\n end \n\n").count == 1)
    #expect(try Recording("\n \n\(head)\n[\"end\",1,0]\nend").count == 1)
  }

  @Test(arguments: [
    ("", 1), ("RxViewModel recording 1\nend", 1), ("hello", 1), ("RxViewModel recording 3", 2),
    ("RxViewModel recording 3\n[\"end\",1,0]", 3), ("RxViewModel recording 3\n[\"end\",1,0]\n[\"acti", 3),
    ("RxViewModel recording 3\n[\"unknown\",1,0]\nend", 2),
    ("RxViewModel recording 3\n[\"action\",-1,0,1,2]\nend", 2), ("RxViewModel recording 3\n[]\nend", 2),
    ("RxViewModel recording 3\nend\nmore", 3), ("RxViewModel recording 3\n{}\nend", 2),
    ("RxViewModel recording 3\n[\"action\",1,0,1,\(deep)]\nend", 2),
  ])
  func aBadTextThrowsOneSentenceWithItsLine(_ text: String, _ line: Int) {
    let error = #expect(throws: RecordingError.self) { try Recording(text) }
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

  // MARK: Texts that have been changed

  // contract 9.7: a text that is read is played and drawn, whatever it says.
  @Test func randomBytesAndMutationsNeverTrap() throws {
    var random = SplitMix64(seed: 47)
    let good = Array(
      """
      RxViewModel recording 3
      ["own",320,0,301,{"search":{"_0":"a"}},[0,1]]
      ["answer",1,0,1,[1],"q",1]
      ["cancel",1,0,null,[1,301]]
      ["state",1,0,null,{"a":["S"]}]
      end
      """.utf8)
    var read = 0
    for _ in 0..<4_000 {
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
      _ = try? replayed(recording) { seek($0, .parallel, on: $1) }
      _ = try PictureData(of: recording.timeline())
      read += 1
    }
    #expect(read > 30)
  }

  private func lines(
    _ recorder: SessionRecorder, _ scheduler: any Scheduler, _ prices: Observable<Int> = .never()
  ) -> LinesViewModel {
    let source = prices.recorded("prices", by: recorder).mutate { $0 = ["\($1)"] }
    return recordedLines(recorder, on: scheduler, mode: .sequence, sources: [source], effect: answers(by: recorder))
  }

  /// The lines of a recording that begins later, with unfinished actions.
  private func text() -> [Substring] {
    let prices = BehaviorSubject(value: 7)
    let model = lines(recorder, scheduler, prices.asObservable())
    for number in 0..<40 {
      model.execute(number % 3 == 0 ? .run("ask") : .add(number))
      if number % 4 == 0 { prices.onNext(number) }
      if number % 7 == 0 { model.executeInSequence(.add(1), .run("ask"), .add(2)) }
      if number % 9 == 0 { model.cancelActions { $0 == .run("ask") } }
      if number % 5 == 0 { model.didResume() } else { model.didPause() }
      if number % 2 == 0 { scheduler.run() }
    }
    let lines = recorder.recording.description.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("[\"begin\"") } && lines.count > 50)
    return lines
  }

  /// Plays lines if they are a recording. The test fails when the view model has so many lines.
  private func play(_ text: [Substring], failingAt count: Int = .max) -> Bool {
    guard let recording = try? Recording(text.joined(separator: "\n")) else { return false }
    _ = try? replay(recording, allowingDepartures: true) { run in
      let model = lines(run.recorder, run.scheduler)
      try run.play { try run.expect(model.currentState.count < count) }
    }
    return true
  }

  // Any line may be deleted, and a text may end anywhere.
  @Test(.asyncEffects) func everyLineMayBeMissing() {
    let text = text()
    for index in 1..<(text.count - 1) {
      #expect(play(Array(text[..<index]) + ["end"]))
      #expect(play(Array(text[..<index] + text[(index + 1)...])))
    }
  }

  // contract 9.6
  @Test(.asyncEffects, .stress) func linesMayStandAnywhereAndHaveAnyNumber() {
    let (all, numbers) = (text(), ["0", "-1", "1", "7", "\(Int.max)", "\(Int.min)", "null", "[]", "\"ask\""])
    var (random, played) = (SplitMix64(seed: 64), 0)
    func roll(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    for round in 0..<300 {
      var lines = round % 3 == 0 ? Array(all[..<20]) + ["end"] : all
      for _ in 0...roll(4) {
        let place = 1 + roll(lines.count - 2)
        switch roll(3) {
        case 0: lines.swapAt(place, 1 + roll(lines.count - 2))
        case 1: lines.insert(lines[place], at: 1 + roll(lines.count - 2))
        default:
          var fields = lines[place].split(separator: ",")
          fields[roll(fields.count)] = Substring(numbers[roll(numbers.count)])
          lines[place] = Substring(fields.joined(separator: ","))
        }
      }
      if play(lines, failingAt: round % 3 == 0 ? 3 : .max) { played += 1 }
    }
    #expect(played > 100)
  }
}
