import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

private enum Entry: Codable, Sendable, Equatable {
  case logIn(name: String, password: String)
  case add(Int)
}

private final class Account: RxViewModel<Entry, [String]>, @unchecked Sendable {  // Sendable: it stores one `let`.
  private let check: @Sendable (String) async throws -> String

  init(on scheduler: (any Scheduler)?, check: @escaping @Sendable (String) async throws -> String) {
    self.check = check
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] { [] }

  override func createObservable(_ action: Entry) -> Effect {
    switch action {
    case .add(let number): return .mutate { $0 = ["\(number)"] }
    case .logIn(let name, _):
      let check = check
      return Observable.task { try await check(name) }.mutate { $0.append($1) }
    }
  }
}

/// Counts how often the engine asks for a child.
// Sendable: it stores only a `let`.
private final class AskedAccount: RxViewModel<Entry, [String]>, @unchecked Sendable {
  let asked = Locked(0)

  override func createInitialState() -> [String] { [] }
  override func createObservable(_ action: Entry) -> Effect { .empty() }

  override func child(for action: Entry) -> ChildAction<Entry, [String]>? {
    asked.mutate { $0 += 1 }
    return nil
  }
}

private func account(
  _ recorder: SessionRecorder, _ name: String = "account", on scheduler: (any Scheduler)? = nil,
  check: @escaping @Sendable (String) async throws -> String = { $0 }
) -> Account {
  recorder.redact(Entry.self) { entry in
    if case .logIn(let name, _) = entry { .logIn(name: name, password: "…") } else { entry }
  }
  return recorder.record(name) {
    Account(on: scheduler) { name in try await recorder.answer("check \(name)") { try await check(name) } }
  }
}

// contract 9, 9.1, 9.2, 9.3
@Suite("A recorder") struct RecorderTests {
  /// The entries of a kind, as text.
  private func lines(_ recorder: SessionRecorder, _ kind: String) -> [Substring] {
    recorder.recording.description.split(separator: "\n").filter { $0.hasPrefix("[\"\(kind)\"") }
  }

  // contract 2.9: the driver looks after a redaction, which is user code.
  @Test func aRedactionMayEndTheViewModel() {
    let recorder = SessionRecorder()
    let scheduler = TestScheduler()
    let model = recorder.record { AskedAccount(scheduler: scheduler) }
    recorder.redact(Entry.self) { entry in
      model.clear()
      return entry
    }
    model.execute(.add(1))
    scheduler.run()
    #expect(model.asked.value == 0)
    #expect(model.stateObservable.test().isCompleted)
  }

  @Test func redactsWhatItRecords() async throws {
    let recorder = SessionRecorder()
    let model = account(recorder)
    try await model.perform(.logIn(name: "ann", password: "secret"))
    let text = recorder.recording.description
    #expect(text.contains("ann"))
    #expect(!text.contains("secret"))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anErrorComesBackByItsTypeAndItsText() async throws {
    let recorder = SessionRecorder()
    let model = account(recorder) { _ in throw OutOfStock(item: 3) }
    await #expect(throws: OutOfStock.self) { try await model.perform(.logIn(name: "a", password: "")) }
    let recording = recorder.recording
    for isKnown in [false, true] {
      let errors = Locked<[any Error]>([])
      let report = try replay(recording) { run in
        if isKnown { run.recorder.encode(errors: OutOfStock.self) }
        let model = account(run.recorder, on: run.scheduler)
        let subscription = model.errorObservable.subscribe(onNext: { error in errors.mutate { $0.append(error) } })
        try run.play()
        withExtendedLifetime(subscription) {}
      }
      #expect(report.departures == [])
      #expect((errors.value.first as? RecordedError)?.type == "OutOfStock")
    }
  }

  // A call that is open when the report is sent is no departure.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anOpenCallIsRecordedAsOpen() async throws {
    let recorder = SessionRecorder()
    let asked = Signal()
    let (answers, service) = AsyncStream.makeStream(of: String.self)
    let model = account(recorder) { _ in
      asked.fire()
      for await answer in answers { return answer }
      return ""
    }
    model.execute(.logIn(name: "ann", password: ""))
    #expect(await onThread { asked.wait() })
    #expect(lines(recorder, "open").count == 1)
    let recording = recorder.recording
    service.finish()
    let report = try replay(recording) { run in
      let model = account(run.recorder, on: run.scheduler)
      try run.play()
      withExtendedLifetime(model) {}
    }
    #expect(report.departures == [])
  }

  @Test func theEndOfAViewModelIsRecorded() async throws {
    let recorder = SessionRecorder()
    var model: Account? = account(recorder)
    try await model?.perform(.add(1))
    model = nil
    #expect(await eventually { recorder.recording.description.contains("[\"end\"") })
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func equalNamesAreToldApartByTheirOrder() async throws {
    let recorder = SessionRecorder()
    let (first, second) = (account(recorder), account(recorder))
    try await first.perform(.add(1))
    try await second.perform(.add(2))
    let states = Locked<[[String]]>([])
    let report = try replay(recorder.recording) { run in
      let (first, second) = (account(run.recorder, on: run.scheduler), account(run.recorder, on: run.scheduler))
      try run.play()
      states.mutate { $0 = [first.currentState, second.currentState] }
    }
    #expect(states.value == [["1"], ["2"]])
    #expect(report.departures == [])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aLongSessionBeginsAtARestartPoint() async throws {
    let (recorder, queue) = (SessionRecorder(limit: 80), DispatchQueue(label: "account"))
    let model = account(recorder, on: queue)
    for number in 0..<500 {
      try await model.perform(.add(number))
      // The view model rests when the turn in which the action has ended is over.
      queue.sync {}
    }
    let recording = recorder.recording
    #expect(recording.count <= 90)
    #expect(lines(recorder, "middle").isEmpty)
    let state = Locked<[String]>([])
    let report = try replay(recording) { run in
      let model = account(run.recorder, on: run.scheduler)
      #expect(model.currentState != [])
      try run.play()
      state.mutate { $0 = model.currentState }
    }
    #expect(state.value == ["499"])
    #expect(report.departures == [])
  }

  @Test func theTextStaysWithinItsBytes() async throws {
    let recorder = SessionRecorder(limit: 10_000, bytes: 10_000)
    let model = account(recorder)
    for number in 0..<1_000 { try await model.perform(.add(number)) }
    #expect(recorder.recording.count < 500)
    _ = recorder.value("text") { String(repeating: "a", count: 20_000) }
    #expect(recorder.recording.description.contains("unrecorded"))
  }

  // contract 9.2
  @Test(arguments: [500, 1_100]) func aFirstStateThatIsLargerThanTheBytesIsMissing(size: Int) {
    let recorder = SessionRecorder(bytes: 1_000)
    let state = [String(repeating: "a", count: size)]
    let model = recorder.record { AskedAccount(initialState: state, scheduler: ImmediateScheduler()) }
    #expect(lines(recorder, "model").map { $0.contains("unrecorded") } == [size > 1_000])
    withExtendedLifetime(model) {}
  }

  // contract 9.3: the text of a state with one name has four characters more than the name
  @Test func aStateOfMoreThanASixteenthOfTheBytesLeavesItsDigestOnly() {
    let recorder = SessionRecorder(bytes: 1_600)
    let model = recorder.record {
      LinesViewModel(on: ImmediateScheduler()) { _, name in .mutate { $0 = [name] } }
    }
    let names = [String(repeating: "a", count: 96), String(repeating: "b", count: 97)]
    for name in names { model.execute(.run(name)) }
    let states = lines(recorder, "state").suffix(2)
    #expect(states.map { line in names.contains { line.contains($0) } } == [true, false])
  }

  // A million actions leave nothing behind; the specification executes fewer.
  @Test(.stress) func actionsLeaveNothingBehind() async throws {
    let recorder = SessionRecorder(limit: 100)
    let model = account(recorder)
    for number in 0..<20_000 { model.execute(.add(number)) }
    try await model.perform(.add(0))
    #expect(recorder.recording.count <= 110)
  }
}

// contract 9.5, 9.6
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
private func play(_ text: String, _ check: (Account) throws -> Void = { _ in }) throws -> ReplayReport {
  try replay(Recording("RxViewModel recording 1\n\(text)\nend")) { run in
    let model = account(run.recorder, on: run.scheduler)
    try run.play { try check(model) }
  }
}

@Suite("Departures") struct DepartureTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: [
    (#"["action",1,7,1,{"add":{"_0":1}}]"#, "no view model with the number 7"),
    (#"["action",1,0,1,{"remove":{}}]"#, "an action cannot be decoded"),
    (#"["action",1,0,1,{"logIn":{"name":"a","password":""}}]"#, "no answer to \"check a\""),
    (#"["answer",1,0,1,"check b",1,"x"]"#, "no effect asked for"),
    (#"["event",1,0,1]"#, "nothing came"),
    (#"["action",1,0,1,{"add":{"_0":1}}]"# + "\n" + #"["state",1,0,"0","[]"]"#, "a state differs"),
    (
      #"["action",1,0,1,{"add":{"_0":1}}]"# + "\n" + #"["action",1,0,2,{"add":{"_0":1}}]"# + "\n"
        + #"["state",1,0,"0"]"#,
      "does not have the state"
    ),
    (
      #"["action",1,0,1,{"logIn":{"name":"a","password":""}}]"# + "\n"
        + #"["answer",1,0,1,"check a",1,{"unrecorded":true}]"#,
      "cannot be decoded, or was not recorded"
    ),
  ])
  func failNoReplay(_ line: String, _ departure: String) throws {
    let report = try play(#"["model",0,"account","",null]"# + "\n" + line)
    #expect(report.departures.contains { $0.contains(departure) }, "\(report.departures)")
  }
}

@Suite("Shrinking a recording") struct RecordingShrinkingTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aFaultAmongManyActionsNeedsTwoEntries() async throws {
    let recorder = SessionRecorder()
    let model = account(recorder)
    for number in 0..<300 { try await model.perform(.add(number)) }
    let recording = recorder.recording
    let failure = #expect(throws: TestFailure.self) {
      try replay(recording) { run in
        let model = account(run.recorder, on: run.scheduler)
        try run.play { try run.expect(model.currentState != ["217"]) }
      }
    }
    let text = "\(failure!)"
    #expect(text.contains("fails with 2 of \(recording.count) entries"), "\(text)")
    #expect(text.contains(#"{"add":{"_0":217}}"#))
    // The printed recording fails alone.
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    let start = try #require(lines.firstIndex { $0.hasPrefix("RxViewModel recording") })
    let end = try #require(lines.firstIndex { $0 == "end" })
    let small = try Recording(lines[start...end].joined(separator: "\n"))
    #expect(small.count == 2)
    #expect(throws: TestFailure.self) {
      try replay(small, shrinking: false) { run in
        let model = account(run.recorder, on: run.scheduler)
        try run.play { try run.expect(model.currentState != ["217"]) }
      }
    }
  }
}
