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

private final class ReadingViewModel: RxViewModel<Int, LastReading>, @unchecked Sendable {
  // Sendable: it stores only a `let`.
  private let make: @Sendable () -> LastReading

  init(on scheduler: any Scheduler, _ make: @escaping @Sendable () -> LastReading) {
    self.make = make
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> LastReading { make() }

  override func createObservable(_ action: Int) -> Observable<StateMapper<LastReading>> {
    let reading = make()
    return .just { _ in reading }
  }
}

/// An action that reads a value from a recorder while it is encoded.
private struct ReadingAction: Codable, Sendable {
  @TaskLocal static var recorder: SessionRecorder?

  init() {}
  init(from decoder: any Decoder) throws {}

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Self.recorder?.value("encoding") { 1 })
  }
}

private final class EncodedViewModel: RxViewModel<ReadingAction, Int>, @unchecked Sendable {
  // Sendable: it stores nothing.
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: ReadingAction) -> Observable<StateMapper<Int>> { .mutate { $0 += 1 } }
}

// contract 1.3, 9.1, 9.5
@Suite("User code that a recorder calls or releases may use the recorder") struct RecordingLockTests {
  private let releases = Locked(0)

  @Test func inTheDeinitOfAStateThatFallsAway() async {
    let releases = releases
    let hasReturned = await finish {
      let (recorder, steps) = (SessionRecorder(limit: 20), StepScheduler())
      let model = recorder.record { ReadingViewModel(on: steps) { LastReading(recorder, releases) } }
      for number in 0..<100 {
        model.execute(number)
        steps.runAll()
      }
      recorder.forget()
    }
    #expect(hasReturned)
    #expect(releases.value > 90)
  }

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

  @Test func whileAnActionIsEncoded() async {
    let count = Locked(0)
    let hasReturned = await finish {
      let (recorder, steps) = (SessionRecorder(), StepScheduler())
      ReadingAction.$recorder.withValue(recorder) {
        let model = recorder.record { EncodedViewModel(scheduler: steps) }
        model.execute(ReadingAction())
        steps.runAll()
        count.mutate { $0 = recorder.recording.entries.count { $0.kind == .value } }
        withExtendedLifetime(model) {}
      }
    }
    #expect(hasReturned)
    #expect(count.value == 1)
  }

  // The subscription to the stream retains the view model, too, and the player releases both.
  @Test(arguments: ["", #"["cancel",2,0,[1],1]"#, #"["completed",2,0,1,"prices",1]"#])
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
