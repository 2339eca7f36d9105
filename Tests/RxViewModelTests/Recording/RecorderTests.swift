import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

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
    #expect(!recorder.recording.beginsInTheMiddle)
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

  // A million actions leave nothing behind; the specification executes fewer.
  @Test(.stress) func actionsLeaveNothingBehind() async throws {
    let recorder = SessionRecorder(limit: 100)
    let model = account(recorder)
    for number in 0..<20_000 { model.execute(.add(number)) }
    try await model.perform(.add(0))
    #expect(recorder.recording.count <= 110)
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
