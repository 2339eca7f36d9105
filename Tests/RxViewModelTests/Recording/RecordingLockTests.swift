import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

/// Reads a value from a recorder when it is released.
private final class LastReading: Sendable {
  private let release: @Sendable () -> Void

  init(_ recorder: SessionRecorder, _ releases: Locked<Int>) {
    release = { [weak recorder] in
      releases.mutate { $0 += 1 }
      _ = recorder?.value("last") { 1 }
    }
  }

  deinit { release() }
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

// Sendable: it stores nothing.
private final class ReadingViewModel: RxViewModel<ReadingValue, ReadingValue>, @unchecked Sendable {
  override func createInitialState() -> ReadingValue { ReadingValue() }
  override func createObservable(_ action: ReadingValue) -> Effect { .mutate { _ in } }
}

// contract 1.3, 9.1, 9.5
@Suite("User code that a recorder calls or releases may use the recorder") struct RecordingLockTests {
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

  @Test func whileActionsAndStatesBecomeText() async {
    let questions = Locked<[String?]>([])
    let hasReturned = await finish {
      let (recorder, steps) = (SessionRecorder(), StepScheduler())
      ReadingValue.$recorder.withValue(recorder) {
        let model = recorder.record { ReadingViewModel(scheduler: steps) }
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

  // The subscription to the stream retains the view model, too, and the player releases both.
  @Test(arguments: ["", #"["cancel",2,0,[1],3]"#, #"["completed",2,0,1,"prices",1]"#])
  func inTheDeinitOfWhatAReplayedStreamRetains(_ line: String) async throws {
    let releases = releases
    let recording = try linesRecording(
      """
      ["action",1,0,1,{"run":{"_0":"watch"}}]
      ["element",1,0,1,"prices",1,7]
      ["event",1,0,1]
      \(line)
      """)
    let hasReturned = await finish {
      _ = try? replay(recording) { run in
        let (recorder, prices) = (run.recorder, PublishSubject<Int>())
        let model = recorder.record("lines") {
          LinesViewModel(on: run.scheduler) { viewModel, _ in
            let reading = LastReading(recorder, releases)
            return prices.asObservable().recorded("prices", by: recorder).mutate { lines, price in
              withExtendedLifetime((viewModel, reading)) { lines.append("\(price)") }
            }
          }
        }
        try run.play()
        #expect(model.currentState == ["7"])
      }
    }
    #expect(hasReturned)
    #expect(releases.value == 1)
  }
}
