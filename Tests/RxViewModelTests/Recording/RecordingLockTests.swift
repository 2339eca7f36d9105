import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Reads a value from a recorder when it is released.
private final class LastReading: Sendable {
  private let release: @Sendable () -> Void

  init(_ recorder: SessionRecorder, _ releases: Locked<Int>) {
    release = { [weak recorder] in
      releases.increment()
      _ = recorder?.value("last") { 1 }
    }
  }

  deinit { release() }
}

/// An action and a state that read a value from a recorder when they are released.
private struct ReleasedValue: Codable, Sendable {
  var number = 0
  var object: LastReading?

  init() {}
  init(from decoder: any Decoder) throws { number = try Int(from: decoder) }

  func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
}

/// An action and a state that read a value from a recorder while they become text.
private struct ReadingValue: Codable, Sendable {
  @TaskLocal static var recorder: SessionRecorder?

  init() {}
  init(from decoder: any Decoder) throws {}

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Self.recorder?.value("encoded") { 1 })
  }
}

// contract 1.3, 9.1, 9.5
/// User code that a recorder calls or releases may use the recorder.
struct RecordingLockTests {
  private let releases = Locked(0)

  @Test func inTheDeinitOfARedaction() async {
    let releases = releases
    let hasReturned = await finish {
      let recorder = SessionRecorder()
      for _ in 0..<2 {
        let reading = LastReading(recorder, releases)
        recorder.redact(Int.self) { number in withExtendedLifetime(reading) { number } }
      }
    }
    #expect(hasReturned)
    #expect(releases.value > 0)
  }

  @Test func inTheDeinitOfAnActionThatIsForgotten() async {
    let releases = releases
    let hasReturned = await finish {
      let (recorder, steps) = (SessionRecorder(), StepScheduler())
      let model = recorder.record("model") {
        ClosureViewModel<ReleasedValue, Int>(0, scheduler: steps) { _, _ in .mutate { $0 += 1 } }
      }
      var action: ReleasedValue? = ReleasedValue()
      action!.object = LastReading(recorder, releases)
      model.execute(action.take()!)
      steps.runAll()
      #expect(releases.value == 0)
      recorder.forget()
      #expect(releases.value == 1)
      withExtendedLifetime(model) {}
    }
    #expect(hasReturned)
  }

  // The state at rest goes in a turn that begins with the end of an action.
  @Test func inTheDeinitOfAState() async {
    let releases = releases
    let hasReturned = await finish {
      let (recorder, steps) = (SessionRecorder(), StepScheduler())
      let model = recorder.record("model") {
        ClosureViewModel<Int, ReleasedValue>(ReleasedValue(), scheduler: steps) { [weak recorder] _, number in
          if number == 2 { return .mutate { $0.object = nil } }
          let reading = recorder.map { LastReading($0, releases) }
          return .concat(Observable.just(reading).mutate { $0.object = $1 }, .never())
        } overrides: {
          $0.mode = { _, _ in .sequence }
        }
      }
      for number in 1...2 { model.execute(number) }
      steps.runAll()
      #expect(releases.value == 0)
      model.cancelActions { $0 == 1 }
      steps.runAll()
      #expect(releases.value == 1)
      withExtendedLifetime(model) {}
    }
    #expect(hasReturned)
  }

  @Test func whileActionsAndStatesBecomeText() async {
    let questions = Locked<[String?]>([])
    let hasReturned = await finish {
      let (recorder, steps) = (SessionRecorder(), StepScheduler())
      ReadingValue.$recorder.withValue(recorder) {
        let model = recorder.record("model") {
          ClosureViewModel<ReadingValue, ReadingValue>(ReadingValue(), scheduler: steps) { _, _ in .mutate { _ in } }
        }
        model.execute(ReadingValue())
        steps.runAll()
        // Each recording makes the text.
        _ = recorder.recording
        questions.mutate { $0 = recorder.recording.entries.filter { $0.kind == .value }.map { $0.call?.question } }
        withExtendedLifetime(model) {}
      }
    }
    #expect(hasReturned)
    #expect(questions.value.filter { $0 == "encoded" }.count >= 2)
  }

  // An answer waits until its effect does something. ThreadSanitizer finds an entry that changes while it becomes text.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func whileAnswersWait() async throws {
    let (recorder, isOver) = (SessionRecorder(limit: 50), Locked(false))
    let model = seek(recorder, .parallel)
    async let text = onThread {
      while !isOver.value { _ = recorder.recording }
      return recorder.recording.description
    }
    for number in 0..<200 { try await model.perform(.search("\(number)")) }
    isOver.mutate { $0 = true }
    let recorded = await text
    #expect(try Recording(recorded).entries.contains { $0.kind == .answer }, "\(recorded)")
  }

  // The subscription to the stream retains the view model, too, and the player releases both.
  @Test(arguments: ["", #"["cancel",2,0,null,[1]]"#, #"["completed",2,0,1,null,"prices",1]"#])
  func inTheDeinitOfWhatAReplayedStreamRetains(_ line: String) async throws {
    let releases = releases
    let recording = try linesRecording(
      """
      ["action",1,0,1,{"run":{"_0":"watch"}}]
      ["element",1,0,1,7,"prices",1]
      ["event",1,0,1]
      \(line)
      """)
    let hasReturned = await finish {
      let played = try? replayed(recording) { recorder, scheduler in
        recordedLines(recorder, on: scheduler) { model, _ in
          let reading = LastReading(recorder, releases)
          return Observable<Int>.never().recorded("prices", by: recorder).mutate { lines, price in
            withExtendedLifetime((model, reading)) { lines.append("\(price)") }
          }
        }
      }
      #expect(played?.state == ["7"])
    }
    #expect(hasReturned)
    #expect(releases.value == 1)
  }
}

// contract 1.3, 9.1
/// Recorders beside other threads.
struct RecorderRaceTests {
  private let made = Locked(0)
  private let releases = Locked(0)
  private let unread = Locked<[String]>([])

  /// Makes view models, and lets them go or clears them while they work.
  @Sendable private func work(_ recorder: SessionRecorder, telling other: SessionRecorder) {
    let told = other.record("told") { LinesViewModel(on: nil) }
    for round in 0..<40 {
      let model = recorder.record("model") {
        ClosureViewModel<Int, ReleasedValue>(ReleasedValue()) { [made, releases] _, number in
          made.increment()
          told.execute(.add(recorder.value("round") { round }))
          let object = LastReading(recorder, releases)
          return .mutate { ($0.number, $0.object) = (number, object) }
        }
      }
      for number in 0..<20 { model.execute(number) }
      model.cancelActions { $0 % 3 == 0 }
      if round % 2 == 0 { model.clear() }
    }
  }

  /// Reads a recorder, which forgets now and then.
  @Sendable private func read(_ recorder: SessionRecorder) {
    for round in 0..<200 {
      if round % 4 == 0 { recorder.forget() }
      let text = recorder.recording.description
      if (try? Recording(text)) == nil { unread.mutate { $0.append(text) } }
    }
  }

  @Test func areReadAndForgetWhileViewModelsWorkAndGo() async {
    do {
      let (first, second) = (SessionRecorder(limit: 16), SessionRecorder(limit: 16))
      let haveReturned = await finish(
        { [work] in work(first, second) }, { [work] in work(second, first) },
        { [read] in read(first) }, { [read] in read(second) })
      #expect(haveReturned)
    }
    #expect(unread.value == [])
    // The recorders have gone, and with them what they had kept.
    #expect(await eventually { releases.value == made.value })
  }
}
