import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 8.1, 9.2
/// A recorded value comes back as it was.
struct RecordedValueTests {
  private let recorder = SessionRecorder()

  private func expectBack<Value: Codable & Sendable>(
    _ value: Value, sourceLocation: SourceLocation = #_sourceLocation,
    _ areEqual: (Value, Value) -> Bool
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
      #expect(areEqual(replayed, value) && !isRead, "\(text)", sourceLocation: sourceLocation)
      try run.play()
    }
    #expect(report.departures == [], sourceLocation: sourceLocation)
  }

  @Test func whateverItsType() throws {
    try expectBack(Optional(3), ==)
    try expectBack(Int?.none, ==)
    try expectBack([1, nil], ==)
    try expectBack(Double.infinity, ==)
    try expectBack([-Float.infinity], ==)
    try expectBack(Double.nan) { $0.isNaN && $1.isNaN }
    try expectBack("nan", ==)
    try expectBack(try #require(Decimal(string: "1234567890123456.78")), ==)
    try expectBack(try #require(Decimal(string: "0.1")), ==)
    try expectBack([0.1 + 0.2, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e22], ==)
    // The second half of a duration is above the largest `Int`, if the duration is negative or longer than nine seconds.
    try expectBack(Page([Duration.seconds(-5), .seconds(10)], next: UInt64.max), ==)
  }

  // MARK: Errors

  private enum Reading {
    struct Failure: Error, Codable { let page: Int }
  }

  private enum Service {
    struct CancellationError: Error, Codable { let code: Int }
  }

  private enum Writing {
    struct Failure: Error, Codable { let isFull: Bool }
  }

  /// A view model that appends the errors of its service, `Reading.Failure` and `Writing.Failure`.
  private func lines(_ types: [any (Error & Codable).Type]) -> MakeLines {
    { recorder, scheduler in
      for type in types { recorder.encode(errors: type) }
      return recordedLines(recorder, on: scheduler) { _, name in
        Observable.task {
          do {
            try await recorder.answer(name) {
              if name == "read" { throw Reading.Failure(page: 3) }
              if name == "cancel" { throw Service.CancellationError(code: 4) }
              throw Writing.Failure(isFull: true)
            }
            return ""
          } catch {
            return "\(type(of: error)) \(error)"
          }
        }.mutate { $0.append($1) }
      }
    }
  }

  // Two types have one name, and another one that of a type of the standard library.
  @Test(
    .asyncEffects,
    arguments: [
      ("read", "Failure Failure(page: 3)"), ("write", "Failure Failure(isFull: true)"),
      ("cancel", "CancellationError CancellationError(code: 4)"),
    ])
  func anErrorOfAKnownTypeToo(_ name: String, _ text: String) throws {
    let types: [any (Error & Codable).Type] = [
      Reading.Failure.self, Writing.Failure.self, Service.CancellationError.self,
    ]
    let (make, scheduler) = (lines(types), TestScheduler())
    let model = make(recorder, scheduler)
    model.execute(.run(name))
    scheduler.run()
    #expect(model.currentState == [text])
    try expectReplay(of: recorder.recording, [text], make)
  }

  @Test(.asyncEffects, arguments: [false, true]) func anErrorOfAnotherTypeHasItsNameAndItsText(_ isKnownToTheTest: Bool)
    throws
  {
    let scheduler = TestScheduler()
    let model = lines([])(recorder, scheduler)
    model.execute(.run("read"))
    scheduler.run()
    #expect(model.currentState == ["Failure Failure(page: 3)"])
    let played = try replayed(recorder.recording, lines(isKnownToTheTest ? [Reading.Failure.self] : []))
    #expect(played.state == ["RecordedError Failure(page: 3)"])
    #expect(played.departures.count == 1)
    #expect(recorder.recording.description.contains(#""Failure(page: 3)","read",1,"Failure"]"#))
  }
}

// contract 9.2
/// Nested values of a recording.
struct RecordingDepthTests {
  /// Writes arrays in arrays.
  private struct Nested: Error, Codable {
    let depth: Int

    init(depth: Int) { self.depth = depth }
    init(from decoder: any Decoder) throws { depth = 0 }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if depth > 1 { try container.encode(Nested(depth: depth - 1)) }
    }
  }

  @Test(arguments: [Entry.Kind.model, .action, .value, .error])
  func thatAreTooDeepAreMissing(_ kind: Entry.Kind) async {
    let recorder = SessionRecorder()
    recorder.encode(errors: Nested.self)
    for depth in [101, 100] {
      let value = Nested(depth: depth)
      let model = recorder.record("model") {
        ClosureViewModel<Nested, Nested>(value, scheduler: ImmediateScheduler()) { _, _ in .empty() }
      }
      model.execute(value)
      _ = recorder.value("deep") { value }
      await #expect(throws: Nested.self) { try await recorder.answer("deep") { throw value } }
    }
    let entries = recorder.recording.entries.filter { $0.kind == kind }
    #expect(entries.map { $0.text.contains("unrecorded") } == [true, false])
  }

  // contract 9.4
  @Test(arguments: [100, 101, 250]) func needASmallStackOnly(_ depth: Int) async {
    let nested = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
    let text = "RxViewModel recording 3\n[\"answer\",1,0,1,\"[[[\\\"\",1,\(nested)]\nend"
    let isRead = await onThread(stackSize: smallStack) { (try? Recording(text)) != nil }
    #expect(isRead == (depth <= 100))
  }
}
