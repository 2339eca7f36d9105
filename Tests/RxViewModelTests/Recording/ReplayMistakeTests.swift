import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.5
@Suite("A replay that tests nothing fails") struct ReplayMistakeTests {
  private func fails(_ text: String, line: UInt = #line, _ body: (Replay) throws -> Void) throws {
    let recording = try linesRecording(#"["action",1,0,1,{"add":{"_0":1}}]"# + "\n" + #"["state",1,0,["0"]]"#)
    let failure = #expect(throws: TestFailure.self) { try replay(recording, line: line, body) }
    #expect("\(failure!)" == "\(text), ReplayMistakeTests.swift:\(line)")
  }

  @Test func becauseItsBodyDoesNotPlay() throws {
    try fails("The body has not called run.play") { run in
      _ = run.recorder.record("lines") { LinesViewModel(on: run.scheduler) }
    }
  }

  @Test func becauseOfAnotherScheduler() throws {
    for isCaught in [false, true] {
      try fails("The body has made LinesViewModel without run.scheduler") { run in
        let other = TestScheduler()
        let model = run.recorder.record("lines") { LinesViewModel(on: other) }
        if isCaught { try? run.play() } else { try run.play() }
        withExtendedLifetime((model, other)) {}
      }
    }
  }

  @Test func becauseOfAnotherName() throws {
    try fails("The body has made none of the recorded view models: recorded \"lines\", made \"line\", \"list\"") {
      run in
      let models = ["list", "line"].map { name in
        run.recorder.record(name) { LinesViewModel(on: run.scheduler) }
      }
      try run.play { try run.expect(models[0].currentState == []) }
    }
  }

  @Test func becauseItMakesNoViewModel() throws {
    try fails("The body has made none of the recorded view models: recorded \"lines\", made none") { try $0.play() }
  }

  @Test func aBodyThatThrowsBeforeItPlaysFailsWithItsError() throws {
    let recording = try linesRecording(#"["action",1,0,1,{"add":{"_0":1}}]"#)
    let failure = #expect(throws: TestFailure.self) { try replay(recording) { _ in throw TestError() } }
    #expect("\(failure!)".contains("test error"), "\(failure!)")
  }

  @Test func aSecondViewModelWithTheNameIsADeparture() throws {
    let report = try replay(linesRecording("")) { run in
      let models = (0..<2).map { _ in run.recorder.record("lines") { LinesViewModel(on: run.scheduler) } }
      try run.play()
      withExtendedLifetime(models) {}
    }
    #expect(report.departures == ["the recording has no view model \"lines\" with the number 2"])
  }

  @Test func aReleasedViewModelIsNamed() throws {
    let report = try replay(linesRecording(#"["action",1,0,1,{"add":{"_0":1}}]"#), tolerant: true) { run in
      do { _ = run.recorder.record("lines") { LinesViewModel(on: run.scheduler) } }
      try run.play()
    }
    #expect(report.departures == [#"the body has released the view model before ["action",1,0,1,{"add":{"_0":1}}]"#])
  }

  #if DEBUG && !OPTIMIZED_LIBRARY
    @Test func onlyTheFirstRunAndTheLastWriteDiagnostics() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let lines = (1...9).map { "[\"action\",\($0),0,\($0),{\"add\":{\"_0\":\($0)}}]" }
        let failure = #expect(throws: TestFailure.self) {
          try replay(linesRecording(lines.joined(separator: "\n"))) { run in
            let other = LinesViewModel(on: run.scheduler)
            other.clear()
            other.execute(.add(1))
            let model = run.recorder.record("lines") { LinesViewModel(on: run.scheduler) }
            try run.play { try run.expect(!model.currentState.contains("7")) }
          }
        }
        if "\(failure!)".contains("fails with 2 of 10") == false { fatalError("\(failure!)") }
      }
      let text = try String(decoding: #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.split(separator: "\n").filter { $0.hasPrefix("RxViewModel: LinesViewModel") }.count == 2, "\(text)")
    }
  #endif

  // contract 9.6
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anOwnActionWithoutItsMarkGetsItsAnswer() throws {
    let text = """
      ["action",1,0,1,{"run":{"_0":"outer"}}]
      ["own",1,0,2,{"run":{"_0":"inner"}},[0,1]]
      ["answer",2,0,2,"inner",1,"7"]
      ["event",2,0,2]
      """
    let failure = #expect(throws: TestFailure.self) {
      try replay(linesRecording(text)) { run in
        let model = run.recorder.record("lines") {
          LinesViewModel(on: run.scheduler) { [recorder = run.recorder] model, name in
            if name == "outer" {
              model.execute(.run("inner"))
              return .empty()
            }
            return Observable.task { try await recorder.answer(name) { "" } }.mutate { $0.append($1) }
          }
        }
        try run.play { try run.expect(model.currentState == []) }
      }
    }
    #expect("\(failure!)".contains("fails with 3 of 5 entries"), "\(failure!)")
  }

  // contract 9.5: what the engine had not taken when its action was cancelled waits in a replay, too.
  @Test func anElementThatNoTurnHasTakenIsNotTakenInAReplay() throws {
    let (recorder, steps, prices) = (SessionRecorder(), StepScheduler(), PublishSubject<String>())
    let make = { (recorder: SessionRecorder, scheduler: any Scheduler) in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, _ in
          prices.asObservable().recorded("prices", by: recorder).mutate { $0.append($1) }
        }
      }
    }
    let model = make(recorder, steps)
    model.execute(.run("watch"))
    steps.runAll()
    prices.onNext("7")
    model.cancelActions { _ in true }
    steps.runAll()
    #expect(model.currentState == [])
    #expect(try playLines(recorder.recording, make) == Fidelity(states: [], departures: []))
  }

  // contract 9.2
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aServiceMayReturnNothing() async throws {
    let (recorder, calls) = (SessionRecorder(), Locked(0))
    let make = { @Sendable (recorder: SessionRecorder, scheduler: (any Scheduler)?) in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, name in
          Observable.task {
            try await recorder.answer(name) { calls.mutate { $0 += 1 } }
            return name
          }.mutate { $0.append($1) }
        }
      }
    }
    let model = make(recorder, nil)
    try await model.perform(.run("delete"))
    try await rest(model)
    #expect(recorder.recording.description.contains(#""delete",1,{}]"#))
    #expect(try playLines(recorder.recording, { make($0, $1) }) == Fidelity(states: ["delete"], departures: []))
    #expect(calls.value == 1)
  }
}
