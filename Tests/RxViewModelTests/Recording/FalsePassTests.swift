import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

private let add = #"["action",1,0,1,{"add":{"_0":1}}]"#
private let ask = #"["action",1,0,1,{"run":{"_0":"ask"}}]"#
private let read = #"["action",1,0,1,{"run":{"_0":"read"}}]"#

/// A view model that asks a service, reads a value, or follows a stream.
private func lines(_ recorder: SessionRecorder, on scheduler: any Scheduler) -> LinesViewModel {
  recorder.record("lines") {
    LinesViewModel(
      on: scheduler, sources: [Observable<Int>.never().recorded("prices", by: recorder).mutate { $0 = ["\($1)"] }]
    ) {
      _, name in
      if name == "ask" { return Observable.task { try await recorder.answer("ask") { "" } }.mutate { $0.append($1) } }
      let value = recorder.value("read") { "today" }
      return .mutate { $0.append(value) }
    }
  }
}

// contract 9.5
@Suite("A replay that can have reproduced nothing fails") struct FalsePassTests {
  private func play(_ text: String, tolerant: Bool = false) throws -> ReplayReport {
    try replay(linesRecording(text), tolerant: tolerant) { run in
      let model = lines(run.recorder, on: run.scheduler)
      try run.play()
      withExtendedLifetime(model) {}
    }
  }

  private func failure(_ text: String, tolerant: Bool = false) -> String {
    let failure = #expect(throws: TestFailure.self) { try play(text, tolerant: tolerant) }
    return failure.map { "\($0)" } ?? ""
  }

  /// A value that the test needs is missing. No flag helps.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: [
    (#"["action",1,0,1,{"remove":{}}]"#, "An action cannot be decoded"),
    (#"["action",1,0,1,{"unrecorded":true}]"#, "An action cannot be decoded"),
    (
      "\(ask)\n" + #"["answer",1,0,1,"ask",1,{"unrecorded":true}]"#,
      "The answer to \"ask\" cannot be decoded, or was not recorded"
    ),
    ("\(ask)\n" + #"["answer",1,0,1,"ask",1,7]"#, "The answer to \"ask\" cannot be decoded, or was not recorded"),
    (
      "\(read)\n" + #"["value",1,0,1,"read",1,{"unrecorded":true}]"#,
      "The value of \"read\" cannot be decoded, or was not recorded"
    ),
    ("\(read)\n" + #"["value",1,0,1,"read",1,[]]"#, "The value of \"read\" cannot be decoded, or was not recorded"),
    ("\(add)\n" + #"["element",1,0,-1,"prices",1,{"unrecorded":true}]"#, "An element of \"prices\" cannot be decoded"),
    (#"["action",1,0,1,{"add":{"_0":1}},null,{"kind":7}]"#, "An action cannot be decoded"),
    (#"["again",0,0,1,{"remove":{}},0]"# + "\n" + #"["begin",0,0,3]"#, "An action cannot be decoded"),
    (
      "\(ask)\n" + #"["error",1,0,1,"ask",1,"Failure",{"code":1}]"#,
      "The answer to \"ask\" cannot be decoded, or was not recorded"
    ),
    (
      "\(ask)\n" + #"["error",1,0,1,"ask",1,"Failure",{"unrecorded":true}]"#,
      "The answer to \"ask\" cannot be decoded, or was not recorded"
    ),
    ("\(add)\n" + #"["state",1,0,{"unrecorded":true}]"#, "A state of Array<String> cannot be decoded"),
    ("\(add)\n" + #"["state",1,0,{"lines":1}]"#, "A state of Array<String> cannot be decoded"),
  ])
  func becauseAValueIsMissing(_ text: String, _ reason: String) {
    for isTolerant in [false, true] {
      let failure = failure(text, tolerant: isTolerant)
      #expect(failure.hasPrefix("reproduces nothing: \(reason)"), "\(failure)")
      #expect(!failure.contains("tolerant"))
    }
  }

  @Test func becauseTheFirstStateCannotBeDecoded() throws {
    let recording = try Recording("RxViewModel recording 2\n[\"model\",0,0,\"lines\",\"\",{\"a\":1}]\n\(add)\nend")
    let failure = #expect(throws: TestFailure.self) {
      try replay(recording) { run in
        let model = lines(run.recorder, on: run.scheduler)
        try run.play()
        withExtendedLifetime(model) {}
      }
    }
    #expect("\(failure!)".hasPrefix("reproduces nothing: A state of Array<String> cannot be decoded"), "\(failure!)")
  }

  /// The test has met fewer entries than it has missed.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: [
    (#"["action",1,7,1,{"add":{"_0":1}}]"#, "no view model with the number 7"),
    (#"["answer",1,0,1,"check",1,"x"]"#, "no effect asked for"),
    (#"["event",1,0,1]"#, "nothing came that the view model took as"),
    // An action that never began is met by no test.
    (
      #"["gone",1,0,1,{"add":{"_0":1}}]"# + "\n" + #"["gone",1,0,2,{"add":{"_0":1}}]"# + "\n" + #"["event",1,0,1]"#,
      "nothing came that the view model took as"
    ),
    (#"["own",1,0,1,{"add":{"_0":1}},[0,1]]"#, "nothing came that the view model took as"),
    (#"["element",1,0,1,"other",1,"x"]"#, "no effect follows the stream of"),
    ("\(add)\n" + #"["event",1,0,1]"# + "\n" + #"["event",1,0,1]"#, "nothing came that the view model took as"),
  ])
  func becauseItHasMissedMoreThanItHasMet(_ text: String, _ departure: String) throws {
    let failure = failure(text)
    #expect(
      failure.contains("reproduces nothing: the test has met") && failure.contains("tolerant: true"), "\(failure)")
    #expect(failure.contains("departure: ") && failure.contains(departure), "\(failure)")
    let report = try play(text, tolerant: true)
    #expect(report.departures.contains { $0.contains(departure) }, "\(report.departures)")
  }

  // The test is about one of the recorded screens.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func entriesOfViewModelsThatTheBodyDoesNotMakeCountOnlyIfItMeetsNone() throws {
    let others = (1...3).map { "[\"action\",1,7,\($0),{\"add\":{\"_0\":1}}]" }.joined(separator: "\n")
    #expect(try play("\(add)\n\(others)").departures.count == 3)
    #expect(failure(others).hasPrefix("reproduces nothing: the test has met 0 entries, and missed 3"))
    // Of the view model that it has made, it misses most.
    let failure = failure("\(add)\n\(others)\n" + #"["event",1,0,1]"# + "\n" + #"["event",1,0,1]"#)
    #expect(failure.hasPrefix("reproduces nothing: the test has met 1 entries, and missed 2"), "\(failure)")
  }

  // What stands in front of the beginning of a cut recording is not played.
  @Test func anActionInFrontOfTheBeginningIsPlayed() throws {
    let event = #"["event",1,0,1]"#
    #expect(failure("\(event)\n[\"begin\",0,0,3]").hasPrefix("reproduces nothing: the test has met 0 entries"))
    var states: [String] = []
    try replay(linesRecording("\(add)\n[\"begin\",0,0,3]")) { run in
      let model = lines(run.recorder, on: run.scheduler)
      try run.play()
      states = model.currentState
    }
    #expect(states == ["1"])
  }

  @Test func becauseTheRecordingBeginsInTheMiddle() throws {
    let text = "[\"begin\",0,0,17]\n\(add)"
    let failure = failure(text)
    #expect(
      failure.hasPrefix("reproduces nothing: the recording begins in the middle, behind 17 entries"), "\(failure)")
    #expect(failure.contains("tolerant: true"))
    #expect(try play(text, tolerant: true).departures == [])
  }

  // The test has met as many entries as it has missed, and the report says which.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: [
    ("\(add)\n" + #"["event",1,0,1]"#, "nothing came"),
    (ask, "no answer to \"ask\""), (read, "no value for \"read\""),
    ("\(add)\n" + #"["state",1,0,["0"]]"#, "the states depart between entry 0 and entry 2, - recorded, + in the test:"),
  ])
  func aDepartureAloneFailsNothing(_ text: String, _ departure: String) throws {
    let report = try play(text)
    #expect(report.departures.contains { $0.contains(departure) }, "\(report.departures)")
  }

  @Test func theStatesDepartByALineAmongAMillion() throws {
    let state = (0..<20_000).map { "\"\($0)\"" }
    let text = "[\"state\",1,0,[\(state.joined(separator: ","))]]"
    let report = try play("\(add)\n\(text)")
    #expect(report.departures.count == 1)
    #expect(report.departures[0].count < 20_000)
  }

  // A clock of today would pass as the recorded one.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aValueThatIsMissingIsRatherAnOlderOne() throws {
    let text = "\(read)\n" + #"["value",1,0,1,"read",1,"then"]"# + "\n" + #"["action",1,0,2,{"run":{"_0":"read"}}]"#
    var states: [String] = []
    try replay(linesRecording(text)) { run in
      let model = lines(run.recorder, on: run.scheduler)
      try run.play()
      states = model.currentState
    }
    #expect(states == ["then", "then"])
  }
}
