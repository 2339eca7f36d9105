import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import Races

/// Half of the cure: without the snapshot.
private final class HalfCuredDraftSaving: DraftSaving, @unchecked Sendable {
  override func executionMode(for action: DraftAction) -> ExecutionMode {
    action == .save ? .keepLatest("draft", after: .milliseconds(700)) : .parallel
  }
}

struct DraftSavingTests {
  private typealias Make = ((any Scheduler)?, @escaping @Sendable (String) async throws -> String) -> DraftSaving

  private struct Fixture {
    let stored = MutableProperty("")
    let draft: DraftSaving
    let errors: TestObserver<any Error>

    init(_ run: Exploration, _ make: Make) {
      let stored = stored
      draft = make(run.scheduler) { text in
        try await run.request("save \(text)", failing: URLError(.timedOut)) {
          stored.value = text
          return text
        }
      }
      errors = draft.errorObservable.test(run.scheduler)
    }

    /// In the end the last edit is stored. A save that has failed may be handled after later ones, so the user then saves once more.
    func check(_ text: String, _ run: Exploration) throws {
      run.allArrive()
      if !errors.values.isEmpty {
        draft.execute(.save)
        run.allArrive()
      }
      try run.expect(draft.currentState.text, equals: text)
      try run.expect(stored.value, equals: text)
    }
  }

  private func editTwice(_ run: Exploration, _ make: Make) -> [String] {
    let fixture = Fixture(run, make)
    fixture.draft.execute(.edit("a"))
    run.mayArrive()
    fixture.draft.execute(.edit("ab"))
    run.allArrive()
    return [fixture.draft.currentState.text, fixture.stored.value]
  }

  @Test func anOlderSaveArrivesLast() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { editTwice($0, DraftSaving.init) }
    }
    #expect("\(endings)".contains("The outcome depends on the order of the responses"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in try run.expect(editTwice(run, DraftSaving.init), equals: ["ab", "ab"]) }
    }
    #expect("\(failure)".hasPrefix("fails in 2 of 8 orders, first in"), "\(failure)")
  }

  @Test func withoutTheSnapshotAnAnswerRevertsTheDraft() throws {
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in try run.expect(editTwice(run, HalfCuredDraftSaving.init) == ["ab", "ab"]) }
    }
    #expect("\(failure)".hasPrefix("fails in 5 of 7 orders, first in"), "\(failure)")
  }

  @Test func theLastEditIsStoredAndShown() throws {
    let report = try explore(failures: 0) { run in
      try run.expect(editTwice(run, CuredDraftSaving.init), equals: ["ab", "ab"])
    }
    #expect(report.isExhaustive && report.runs == 7, "\(report)")
  }

  private func editThreeTimes(_ run: Exploration) throws {
    let fixture = Fixture(run, CuredDraftSaving.init)
    for text in ["a", "ab", "abc"] {
      fixture.draft.execute(.edit(text))
      run.mayArrive()
      try run.expect(fixture.draft.currentState.text == text, "the draft stays")
    }
    try fixture.check("abc", run)
  }

  @Test func threeEditsOfWhichASaveFails() throws {
    let report = try explore { try editThreeTimes($0) }
    #expect(report.isExhaustive && report.runs == 3_440, "\(report)")
  }

  @Test func whateverTheUserTypes() throws {
    try explore(limit: 2_000, overlapping: true) { run in
      let fixture = Fixture(run, CuredDraftSaving.init)
      var last = ""
      run.mayArrive()
      for _ in 0..<run.choose(0...6) {
        last = run.choose("a", "ab", "abc", "")
        fixture.draft.execute(.edit(last))
        if run.choose(false, true) { fixture.draft.execute(.save) }
        run.mayArrive()
        try run.expect(fixture.draft.currentState.text == last, "the draft stays")
      }
      try fixture.check(last, run)
    }
  }
}
