import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

private let add = #"["action",1,0,1,{"add":{"_0":1}}]"#
private let ask = #"["action",1,0,1,{"run":{"_0":"ask"}}]"#
private let read = #"["action",1,0,1,{"run":{"_0":"read"}}]"#
private let event = #"["event",1,0,1]"#
private let noAction = "An action cannot be decoded"
private let noAnswer = "The answer to \"ask\" cannot be decoded, or was not recorded"
private let noValue = "The value of \"read\" cannot be decoded, or was not recorded"
private let noState = "A state of Array<String> cannot be decoded"

/// A view model that asks a service, reads a value, or follows a stream.
private func lines(_ recorder: SessionRecorder, on scheduler: any Scheduler) -> LinesViewModel {
  let source = Observable<Int>.never().recorded("prices", by: recorder).mutate { $0 = ["\($1)"] }
  return recordedLines(recorder, on: scheduler, sources: [source]) { model, name in
    if name == "ask" { return answers(by: recorder)(model, name) }
    let value = recorder.value("read") { "today" }
    return .mutate { $0.append(value) }
  }
}

// contract 9.5
/// A replay that can have reproduced nothing fails.
struct FalsePassTests {
  private func play(_ text: String, allowed: Bool = false) throws -> ReplayReport {
    try replay(linesRecording(text), allowingDepartures: allowed) { run in
      let model = lines(run.recorder, on: run.scheduler)
      try run.play()
      withExtendedLifetime(model) {}
    }
  }

  private func failure(_ text: String, allowed: Bool = false) -> String {
    let failure = #expect(throws: TestFailure.self) { try play(text, allowed: allowed) }
    return failure.map { "\($0)" } ?? ""
  }

  /// A value that the test needs is missing. No flag helps.
  @Test(
    .asyncEffects,
    arguments: [
      (#"["action",1,0,1,{"remove":{}}]"#, noAction), (#"["action",1,0,1,{"unrecorded":true}]"#, noAction),
      (#"["action",1,0,1,{"add":{"_0":1}},null,{"kind":7}]"#, noAction),
      (ask + "\n" + #"["answer",1,0,1,{"unrecorded":true},"ask",1]"#, noAnswer),
      (ask + "\n" + #"["answer",1,0,1,7,"ask",1]"#, noAnswer),
      (ask + "\n" + #"["error",1,0,1,{"code":1},"ask",1,"Failure"]"#, noAnswer),
      (ask + "\n" + #"["error",1,0,1,{"unrecorded":true},"ask",1,"Failure"]"#, noAnswer),
      (read + "\n" + #"["value",1,0,1,{"unrecorded":true},"read",1]"#, noValue),
      (read + "\n" + #"["value",1,0,1,[],"read",1]"#, noValue),
      (
        add + "\n" + #"["element",1,0,-1,{"unrecorded":true},"prices",1]"#, "An element of \"prices\" cannot be decoded"
      ),
      (add + "\n" + #"["state",1,0,null,{"unrecorded":true}]"#, noState),
      (add + "\n" + #"["state",1,0,null,{"lines":1}]"#, noState),
    ] as [(String, String)])
  func becauseAValueIsMissing(_ text: String, _ reason: String) {
    for isAllowed in [false, true] {
      let failure = failure(text, allowed: isAllowed)
      #expect(failure.hasPrefix("reproduces nothing: \(reason)"), "\(failure)")
      #expect(!failure.contains("allowingDepartures"))
    }
  }

  /// A state that is written only as long as it is negative.
  private struct Debt: Codable, Sendable, Equatable {
    var amount: Int?

    func encode(to encoder: any Encoder) throws {
      if let amount, amount > 0 { throw TestError() }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(amount, forKey: .amount)
    }
  }

  // The mapper was another one when the session was recorded.
  @Test func becauseAStateOfTheTestCannotBeEncoded() throws {
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let make = { (recorder: SessionRecorder, scheduler: any Scheduler, change: Int) in
      recorder.record("debt") {
        ClosureViewModel<LinesAction, Debt>(Debt(), scheduler: scheduler) { _, _ in .mutate { $0.amount = change } }
      }
    }
    let model = make(recorder, scheduler, -1)
    model.execute(.add(1))
    scheduler.run()
    let recording = recorder.recording
    let failure = #expect(throws: TestFailure.self) {
      try replay(recording) { run in
        let model = make(run.recorder, run.scheduler, 1)
        try run.play()
        withExtendedLifetime(model) {}
      }
    }
    #expect("\(failure!)".hasPrefix("reproduces nothing: A state of Debt that the test reaches cannot be encoded"))
    withExtendedLifetime(model) {}
  }

  @Test func becauseTheFirstStateCannotBeDecoded() throws {
    let recording = try Recording("RxViewModel recording 3\n[\"model\",0,0,null,{\"a\":1},\"lines\",\"\"]\n\(add)\nend")
    let failure = #expect(throws: TestFailure.self) { try replayed(recording) { lines($0, on: $1) } }
    #expect("\(failure!)".hasPrefix("reproduces nothing: \(noState), that of \"lines\": "), "\(failure!)")
  }

  /// The test has met fewer entries than it has missed.
  @Test(
    .asyncEffects,
    arguments: [
      (#"["action",1,7,1,{"add":{"_0":1}}]"#, "no view model with the number 7"),
      (#"["answer",1,0,1,"x","check",1]"#, "no effect asked for"),
      (event, "nothing came that the view model took as"),
      (#"["own",1,0,1,{"add":{"_0":1}},[0,1]]"#, "nothing came that the view model took as"),
      (#"["element",1,0,1,"x","other",1]"#, "no effect follows the stream of"),
      ("\(add)\n\(event)\n\(event)", "nothing came that the view model took as"),
    ])
  func becauseItHasMissedMoreThanItHasMet(_ text: String, _ departure: String) throws {
    let failure = failure(text)
    #expect(
      failure.contains("reproduces nothing: the test has met") && failure.contains("allowingDepartures: true"),
      "\(failure)")
    #expect(failure.contains("departure: ") && failure.contains(departure), "\(failure)")
    let report = try play(text, allowed: true)
    #expect(report.departures.contains { $0.contains(departure) }, "\(report.departures)")
  }

  // The test is about one of the recorded screens.
  @Test(.asyncEffects) func entriesOfViewModelsThatTheBodyDoesNotMakeCountOnlyIfItMeetsNone() throws {
    let others = (1...3).map { "[\"action\",1,7,\($0),{\"add\":{\"_0\":1}}]" }.joined(separator: "\n")
    #expect(try play("\(add)\n\(others)").departures.count == 3)
    #expect(failure(others).hasPrefix("reproduces nothing: the test has met 0 entries, and missed 3"))
    // Of the view model that it has made, it misses most.
    let failure = failure("\(add)\n\(others)\n\(event)\n\(event)")
    #expect(failure.hasPrefix("reproduces nothing: the test has met 1 entries, and missed 2"), "\(failure)")
  }

  @Test func becauseTheRecordingBeginsWithoutAState() throws {
    let text = "[\"begin\",0,0,null,17]\n\(add)"
    let reason = "the recording begins without a state of \"lines\": its state is not Codable, or it was working"
    let failure = failure(text)
    #expect(failure.hasPrefix("reproduces nothing: \(reason)"), "\(failure)")
    #expect(failure.contains("allowingDepartures: true"))
    let departures = try play(text, allowed: true).departures
    #expect(departures.count == 1 && departures[0].hasPrefix(reason), "\(departures)")
  }

  @Test func becauseTheViewModelHasNotRestedSinceItsEntriesBegin() throws {
    let text = "[\"action\",700,0,3,{\"run\":{\"_0\":\"poll\"}}]\n[\"begin\",0,0,null,17]\n\(add)"
    let failure = failure(text)
    #expect(failure.contains("these actions have not ended:"), "\(failure)")
    #expect(failure.contains(#"{"run":{"_0":"poll"}}, since 700 ms"#), "\(failure)")
    #expect(failure.contains("Make what never ends a source, or keep more entries with a larger limit"), "\(failure)")
  }

  // The test has met as many entries as it has missed, and the report says which.
  @Test(
    .asyncEffects,
    arguments: [
      ("\(add)\n\(event)", "nothing came"), (ask, "no answer to \"ask\""), (read, "no value for \"read\""),
      (
        "\(add)\n" + #"["state",1,0,null,["0"]]"#,
        "the states depart between entry 0 and entry 2, - recorded, + in the test:"
      ),
    ])
  func aDepartureAloneFailsNothing(_ text: String, _ departure: String) throws {
    let report = try play(text)
    #expect(report.entries == text.split(separator: "\n").count + 1)
    #expect(report.departures.contains { $0.contains(departure) }, "\(report.departures)")
  }

  @Test func theStatesDepartByALineAmongAMillion() throws {
    let state = (0..<20_000).map { "\"\($0)\"" }
    let report = try play("\(add)\n[\"state\",1,0,null,[\(state.joined(separator: ","))]]")
    #expect(report.departures.count == 1)
    #expect(report.departures[0].count < 20_000)
  }

  // A clock of today would pass as the recorded one.
  @Test(.asyncEffects) func aValueThatIsMissingIsRatherAnOlderOne() throws {
    let text = "\(read)\n" + #"["value",1,0,1,"then","read",1]"# + "\n" + #"["action",1,0,2,{"run":{"_0":"read"}}]"#
    #expect(try replayed(linesRecording(text)) { lines($0, on: $1) }.state == ["then", "then"])
  }
}

// contract 9.5
/// A replay that tests nothing fails.
struct ReplayMistakeTests {
  private func fails(_ text: String, line: UInt = #line, _ body: (Replay) throws -> Void) throws {
    let recording = try linesRecording("\(add)\n" + #"["state",1,0,null,["0"]]"#)
    let failure = #expect(throws: TestFailure.self) { try replay(recording, line: line, body) }
    #expect("\(failure!)" == "\(text), FalsePassTests.swift:\(line)")
  }

  @Test func becauseItsBodyDoesNotPlay() throws {
    try fails("The body has not called run.play") { run in _ = recordedLines(run.recorder, on: run.scheduler) }
  }

  @Test(arguments: [false, true]) func becauseOfAnotherScheduler(isCaught: Bool) throws {
    try fails("The body has made LinesViewModel without run.scheduler") { run in
      let other = TestScheduler()
      let model = recordedLines(run.recorder, on: other)
      if isCaught { try? run.play() } else { try run.play() }
      withExtendedLifetime((model, other)) {}
    }
  }

  @Test func becauseOfAnotherName() throws {
    try fails("The body has made none of the recorded view models: recorded [\"lines\"], made [\"line\", \"list\"]") {
      run in
      let models = ["list", "line"].map { name in
        run.recorder.record(name) { LinesViewModel(on: run.scheduler) }
      }
      try run.play { try run.expect(models[0].currentState == []) }
    }
  }

  @Test func becauseItPlaysTwice() throws {
    try fails("The body has called run.play twice") { run in
      let model = recordedLines(run.recorder, on: run.scheduler)
      try run.play()
      try? run.play()
      withExtendedLifetime(model) {}
    }
  }

  // As in `explore`: the test may call `expect` where its error is lost.
  @Test func anExpectationCountsWhereverItFails() throws {
    let failure = #expect(throws: TestFailure.self) {
      try replay(linesRecording(add)) { run in
        let model = recordedLines(run.recorder, on: run.scheduler)
        try run.play { try? run.expect(model.currentState.isEmpty, "an action has been folded") }
      }
    }
    #expect("\(failure!)".contains("an action has been folded"), "\(failure!)")
  }

  @Test func becauseItMakesNoViewModel() throws {
    try fails("The body has made none of the recorded view models: recorded [\"lines\"], made []") { try $0.play() }
  }

  @Test func aBodyThatThrowsBeforeItPlaysFailsWithItsError() throws {
    let failure = #expect(throws: TestFailure.self) { try replay(linesRecording(add)) { _ in throw TestError() } }
    #expect("\(failure!)".contains("test error"), "\(failure!)")
  }

  @Test func aSecondViewModelWithTheNameIsADeparture() throws {
    let report = try replay(linesRecording("")) { run in
      let models = (0..<2).map { _ in recordedLines(run.recorder, on: run.scheduler) }
      try run.play()
      withExtendedLifetime(models) {}
    }
    #expect(report.departures == ["the recording has no view model \"lines\" with the number 2"])
  }

  @Test func aReleasedViewModelIsNamed() throws {
    let report = try replay(linesRecording(add), allowingDepartures: true) { run in
      do { _ = recordedLines(run.recorder, on: run.scheduler) }
      try run.play()
    }
    #expect(report.departures == ["the body has released the view model before \(add)"])
  }

  #if DEBUG && !OPTIMIZED_LIBRARY
    @Test(.ownThread) func onlyTheFirstRunAndTheLastWriteDiagnostics() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let lines = (1...9).map { "[\"action\",\($0),0,\($0),{\"add\":{\"_0\":\($0)}}]" }
        let failure = #expect(throws: TestFailure.self) {
          try replay(linesRecording(lines.joined(separator: "\n"))) { run in
            let other = LinesViewModel(on: run.scheduler)
            other.clear()
            other.execute(.add(1))
            let model = recordedLines(run.recorder, on: run.scheduler)
            try run.play { try run.expect(!model.currentState.contains("7")) }
          }
        }
        if "\(failure!)".contains("fails with 2 of 10") == false { fatalError("\(failure!)") }
      }
      let text = try String(decoding: #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.split(separator: "\n").filter { $0.hasPrefix("RxViewModel: LinesViewModel") }.count == 2, "\(text)")
    }
  #endif
}
