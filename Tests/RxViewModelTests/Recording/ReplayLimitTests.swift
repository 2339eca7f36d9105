import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.4, 9.5
struct ReplayLimitTests {
  // The end of the run cancels the task, which would ask again and again.
  @Test(.asyncEffects) func thoughTheTestRetainsAViewModelThatAsksUntilItIsCancelled() throws {
    var retained: [LinesViewModel] = []
    let report = try replay(linesRecording(#"["action",1,0,1,{"run":{"_0":"ask"}}]"#)) { run in
      let recorder = run.recorder
      let model = recordedLines(recorder, on: run.scheduler) { _, _ in
        Observable.task {
          while !Task.isCancelled { _ = try? await recorder.answer("poll") { 1 } }
          return 1
        }.mutate { $0.append("\($1)") }
      }
      retained.append(model)
      try run.play()
    }
    #expect(report.departures == ["the recording has no answer to \"poll\""])
  }

  // Each missing entry would fire a thousand timers of the interval, and each of these would ask once more. Only the first of a kind do.
  @Test(.asyncEffects) func thoughNoTimerOfAnIntervalBringsWhatManyEntriesNeed() throws {
    // The interval ends at the bound, so that a failing test ends too.
    let (bound, fired) = (5_000, Locked(0))
    let lines = (1...200).map { "[\"answer\",\($0),0,-1,\($0),\"poll\",\($0)]\n[\"event\",\($0),0,-1]" }
    let report = try replay(linesRecording(lines.joined(separator: "\n")), allowingDepartures: true) { run in
      let recorder = run.recorder
      let polls = Observable<Int>.interval(.seconds(1), scheduler: run.scheduler).take(bound)
        .do(onNext: { number in fired.mutate { $0 = max($0, number + 1) } })
        .flatMap { _ in Observable.task { try await recorder.answer("other") { 1 } } }
      let model = recordedLines(recorder, on: run.scheduler, sources: [polls.mutate { $0.append("\($1)") }])
      try run.play()
      #expect(model.currentState == [])
    }
    #expect(report.departures.count > 400)
    #expect((1_000..<bound).contains(fired.value))
  }

  @Test(.stress) func thoughWorkSchedulesItselfAgainWithoutADelay() throws {
    let failure = #expect(throws: TestFailure.self) {
      try replay(linesRecording(#"["action",1,0,1,{"run":{"_0":"spin"}}]"#)) { run in
        let scheduler = run.scheduler
        let model = recordedLines(run.recorder, on: scheduler) { _, _ in
          @Sendable func spin() { scheduler.schedule { spin() } }
          spin()
          return .never()
        }
        try run.play()
        withExtendedLifetime(model) {}
      }
    }
    #expect("\(failure!)".hasPrefix("1000000 pieces of work after [\"action\",1,0,1,"), "\(failure!)")
  }

  @Test func thoughAQuietTimeIsAsLongAsItCanBe() throws {
    let mode = #"{"kind":{"switchLatest":{"after":[9223372036854775807,18446744073709551615]}}}"#
    let lines = (1...2).map {
      "[\"action\",1,0,\($0),{\"add\":{\"_0\":\($0)}},null,\(mode)]\n[\"timer\",1,0,\($0)]\n[\"event\",1,0,\($0)]"
    }
    let result = try replayed(linesRecording(lines.joined(separator: "\n"))) { recordedLines($0, on: $1) }
    #expect((result.state == ["1"] && result.departures == []) || result.state == ["1", "2"])
  }
}
