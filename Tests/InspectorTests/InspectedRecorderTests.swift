import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import RxViewModelInspector
@testable import TestSupport

private struct Secret: Sendable, Equatable, Codable {
  var text: String
}

/// What the page has from a recorder, and *Copy as test*.
struct InspectedRecorderTests {
  private let scheduler = TestScheduler()
  private let folder: InspectedFolder

  init() { folder = InspectedFolder(scheduler) }

  /// Adds what it gets. From 100 on it executes the rest.
  private static func makeCounter(_ recorder: SessionRecorder, _ scheduler: TestScheduler)
    -> ClosureViewModel<Int, Int>
  {
    recorder.record("counter") {
      ClosureViewModel(0, scheduler: scheduler) { model, number in
        number < 100 ? .mutate { $0 += number } : .mutate { $0 += 100 }.then(number - 100, on: model)
      }
    }
  }

  @Test func whatHasExecutedAnActionAndWhatHasAnswered() throws {
    let recorder = SessionRecorder()
    let (answers, sent) = (PublishSubject<String>(), PublishSubject<String>())
    let inspector = folder.inspector(recorder)
    let other = CounterModel(scheduler)
    inspector.watch(other, name: "without a recorder")
    let counter = Self.makeCounter(recorder, scheduler)
    let asking = recorder.record("asking") {
      ClosureViewModel<Int, [String]>([], scheduler: scheduler) { overrides in
        overrides.sources = { _ in [sent.asObservable().recorded("sent", by: recorder).mutate { $0.append($1) }] }
        overrides.effect = { _, _ in
          answers.asObservable().recorded("answers", by: recorder).take(1).mutate { $0.append($1) }
        }
      }
    }
    inspector.watch(counter, name: "counter")
    inspector.watch(asking, name: "asking")
    counter.execute(101)
    asking.execute(1)
    scheduler.advance(by: .seconds(2))
    sent.onNext("s")
    answers.onNext("a")
    scheduler.run()
    let lines = try folder.lines
    #expect(try folder.session().head.models.map(\.recorded) == [nil, 0, 1])
    withExtendedLifetime(other) {}
    #expect(lines.contains("0 #1 action 101") && lines.contains("0 #2 action 1 (by 2 #1)"), "\(lines)")
    #expect(lines.contains { $0.hasSuffix(#"#1 element answers "a""#) }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix(#"#0 element sent "s""#) }, "\(lines)")
  }

  // An error that isn't encoded has its description, which a redaction of `String` changes, as it changes lanes and keys.
  @Test(.asyncEffects) func textsAreRedactedHere() throws {
    struct Refused: Error { let reason: String }
    let recorder = SessionRecorder()
    recorder.redact(String.self) { $0.replacingOccurrences(of: "swordfish", with: "••") }
    let model = recorder.record("login") {
      ClosureViewModel<Int, Int>(0, scheduler: scheduler) { _, number in
        Observable.task {
          try await recorder.answer("sign in") { () -> Int in throw Refused(reason: "swordfish is too short") }
        }.mutate { $0 = $1 }
      } overrides: {
        $0.mode = { _, number in number == 0 ? .sequence("swordfish") : .join("token", key: "swordfish") }
        $0.handles = { _, _, _ in true }
      }
    }
    let inspector = folder.inspector(recorder)
    inspector.watch(model, name: "login swordfish")
    for number in 0...1 { model.execute(number) }
    scheduler.advance(by: .seconds(2))
    for name in try folder.names {
      let text = try folder.text(name)
      #expect(!text.contains("swordfish"), "\(name): \(text)")
    }
    #expect(try folder.lines.contains { $0.contains("error sign in") && $0.contains("•• is too short") })
    #expect(!inspector.text.contains("swordfish"))
  }

  @Test func whatIsRedactedThereIsRedactedHere() throws {
    let recorder = SessionRecorder()
    recorder.redact(Secret.self) { _ in Secret(text: "hidden") }
    recorder.redact([Secret].self) { secrets in secrets.map { _ in Secret(text: "hidden") } }
    let model = recorder.record("secret") {
      ClosureViewModel<Secret, [Secret]>([], scheduler: scheduler) { _, secret in .mutate { $0.append(secret) } }
    }
    let inspector = folder.inspector(recorder)
    inspector.watch(model, name: "secret")
    model.execute(Secret(text: "swordfish"))
    scheduler.run()
    for name in try folder.names {
      let text = try folder.text(name)
      #expect(!text.contains("swordfish"), "\(name)")
    }
    let lines = try folder.lines
    #expect(lines.contains(#"0 #1 state + [0]: Secret(text: "hidden")"#), "\(lines)")
    #expect(try folder.copied().recordings.count == 1 && !inspector.text.contains("swordfish"))
  }

  /// Each begins where the view models rested, and is played without a departure.
  @Test func aRecordingFromEachPlaceOfRest() throws {
    let recorder = SessionRecorder(limit: 40)
    let (counter, inspector) = (Self.makeCounter(recorder, scheduler), folder.inspector(recorder))
    inspector.watch(counter, name: "counter")
    for number in 1...60 {
      counter.execute(number % 3 == 0 ? 100 + number : number)
      scheduler.advance()
    }
    scheduler.run()
    let recordings = try folder.copied().recordings
    #expect(recordings.count > 4 && "\(recordings[0])" == "\(recorder.recording)")
    #expect(recordings.map(\.count) == recordings.map(\.count).sorted { $0 > $1 })
    for recording in recordings {
      var states: [Int] = []
      let report = try replay(recording) { run in
        let counter = Self.makeCounter(run.recorder, run.scheduler)
        try run.play { states.append(counter.currentState) }
      }
      #expect(report.departures == [] && states.last == counter.currentState)
    }
  }

  /// Its texts cost O(n), so they are made when nothing has happened for a second, or else each five seconds.
  @Test func theRecordingIsWrittenSeldom() throws {
    let recorder = SessionRecorder()
    let counter = Self.makeCounter(recorder, scheduler)
    folder.inspector(recorder).watch(counter, name: "counter")
    func count() -> Int? { (try? folder.copied()).map(\.lines.count) }
    for tenth in 1...49 {
      counter.execute(tenth)
      scheduler.advance(by: .milliseconds(100))
    }
    #expect(count() == nil)
    for tenth in 50...60 {
      counter.execute(tenth)
      scheduler.advance(by: .milliseconds(100))
    }
    let first = try #require(count())
    #expect(first < 60)
    scheduler.run()
    #expect(try #require(count()) > 60 && scheduler.pendingCount == 0)
  }

  /// What is too large isn't written, and what begins later is.
  @Test func isBounded() throws {
    let recorder = SessionRecorder(limit: 64)
    let model = recorder.record("texts") {
      ClosureViewModel<String, Int>(0, scheduler: scheduler) { _, _ in .mutate { $0 += 1 } }
    }
    folder.inspector(recorder).watch(model, name: "texts")
    for _ in 0..<60 {
      model.execute(String(repeating: "\"", count: 20_000))
      scheduler.advance()
    }
    scheduler.run()
    let copied = try folder.copied()
    // In numbers, because an expectation that fails writes what it compares.
    let (starts, left) = (copied.starts.count, copied.lines.count { $0.isEmpty })
    let size = try folder.text("recording.js").utf8.count
    #expect(starts > 1 && left > 0 && size < SessionWriter.mostBytes + 1_000)
  }
}
