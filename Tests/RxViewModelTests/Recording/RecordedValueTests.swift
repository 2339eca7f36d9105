import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

// contract 9.2
@Suite("A recorded value comes back as it was") struct RecordedValueTests {
  private func expectBack<Value: Codable & Sendable & Equatable>(
    _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let recorder = SessionRecorder()
    _ = recorder.value("value") { value }
    let text = recorder.recording.description
    let report = try replay(Recording(text)) { run in
      var isRead = false
      let replayed = run.recorder.value("value") {
        isRead = true
        return value
      }
      #expect(replayed == value && !isRead, "\(text)", sourceLocation: sourceLocation)
      try run.play()
    }
    #expect(report.departures == [], sourceLocation: sourceLocation)
  }

  @Test func anOptional() throws {
    try expectBack(Optional(3))
    try expectBack(Int?.none)
    try expectBack([1, nil])
  }

  @Test func aNumberThatIsNoNumber() throws {
    try expectBack(Double.infinity)
    try expectBack([-Float.infinity])
    try expectBack("nan")
    let recorder = SessionRecorder()
    _ = recorder.value("value") { Double.nan }
    try replay(recorder.recording) { run in
      #expect(run.recorder.value("value") { 0 }.isNaN)
      try run.play()
    }
  }

  @Test func aDecimalWithMoreDigitsThanADouble() throws {
    try expectBack(try #require(Decimal(string: "1234567890123456.78")))
    try expectBack(try #require(Decimal(string: "0.1")))
    try expectBack([0.1 + 0.2, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e22])
  }

  @Test func aRedactionMayReturnNil() {
    let recorder = SessionRecorder()
    recorder.redact(String?.self) { _ in nil }
    _ = recorder.value("value") { Optional("secret") }
    #expect(!recorder.recording.description.contains("secret"))
  }
}

private enum Reading {
  struct Failure: Error, Codable { let page: Int }
}

private enum Writing {
  struct Failure: Error, Codable { let isFull: Bool }
}

// contract 9.2
@Suite("Errors with one name") struct SameNameTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: ["read", "write"]) func comeBackAsThemselves(_ name: String) throws {
    let make: @Sendable (SessionRecorder, any Scheduler) -> LinesViewModel = { recorder, scheduler in
      recorder.encode(errors: Reading.Failure.self)
      recorder.encode(errors: Writing.Failure.self)
      return recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, name in
          Observable.task {
            do {
              return try await recorder.answer(name) {
                if name == "read" { throw Reading.Failure(page: 3) }
                throw Writing.Failure(isFull: true)
              }
            } catch let error as Reading.Failure {
              return "page \(error.page)"
            } catch let error as Writing.Failure {
              return "\(error.isFull)"
            }
          }.mutate { $0.append($1) }
        }
      }
    }
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let model = make(recorder, scheduler)
    model.execute(.run(name))
    scheduler.run()
    #expect(model.currentState == [name == "read" ? "page 3" : "true"])
    #expect(try playLines(recorder.recording, make) == Fidelity(states: model.currentState, departures: []))
  }
}
