import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// Race 12, decocms/studio PR 7147: a save takes longer than the debounce. An earlier one arrives last, and wins.

enum NoteAction: Sendable {
  case edit(String)
  case save
}

struct NoteState: Sendable, Equatable {
  var text = ""
  var saved = ""
}

class NoteViewModel: RxViewModel<NoteAction, NoteState>, @unchecked Sendable {  // Sendable: its property is a `let`.
  private let save: @Sendable (String) async throws -> String

  init(_ scheduler: any Scheduler, _ save: @escaping @Sendable (String) async throws -> String) {
    self.save = save
    super.init(initialState: NoteState(), scheduler: scheduler)
  }

  override func createObservable(_ action: NoteAction) -> Effect {
    switch action {
    case .edit(let text): return Observable.mutate { $0.text = text }.then(.save, on: self)
    case .save:
      let (save, text) = (save, currentState.text)
      return Observable.task { try await save(text) }.mutate { $0.saved = $1 }
    }
  }

  override func executionMode(for action: NoteAction) -> ExecutionMode {
    switch action {
    case .save: .switchLatest("note", after: .milliseconds(700))
    case .edit: .parallel
    }
  }

  override func diagnose(_ diagnostic: ViewModelDiagnostic<NoteAction>) {}
}

private final class FixedNoteViewModel: NoteViewModel, @unchecked Sendable {
  override func executionMode(for action: NoteAction) -> ExecutionMode {
    switch action {
    case .save: .keepLatest("note", after: .milliseconds(700))
    case .edit: .parallel
    }
  }
}

@Suite(.asyncEffects) struct SavingRaceTests {
  private func editThreeTimes(
    _ run: Exploration, fails: Bool = false,
    _ make: (any Scheduler, @escaping @Sendable (String) async throws -> String) -> NoteViewModel
  ) throws {
    let server = RaceServer(run, "", fails: fails)
    let note = make(run.scheduler) { text in
      try await server.request("save \(text)") { stored in
        stored = text
        return text
      }
    }
    for text in ["a", "ab", "abc"] {
      note.execute(.edit(text))
      run.mayArrive()
      try run.expect(note.currentState.text == text, "the draft stays")
    }
    run.allArrive()
    if server.hasFailed.value {
      // The last save may be the one that failed. Another one repairs that, whatever has happened before.
      while server.hasFailed.exchange(for: false) {
        note.execute(.save)
        run.allArrive()
      }
    }
    try run.expect(server.value == "abc" && note.currentState == NoteState(text: "abc", saved: "abc"))
  }

  // A cancelled request may still reach the server.
  @Test func aCancelledSaveArrivesLast() {
    #expect(throws: TestFailure.self) {
      try explore(limit: 5_000, overlapping: true) { run in try editThreeTimes(run) { NoteViewModel($0, $1) } }
    }
  }

  @Test(arguments: [false, true]) func keepLatestStoresTheLastEdit(overlapping: Bool) throws {
    try explore(limit: 5_000, overlapping: overlapping) { run in
      try editThreeTimes(run) { FixedNoteViewModel($0, $1) }
    }
  }

  @Test func keepLatestStoresTheLastEditAfterFailures() throws {
    try explore(limit: 2_000, overlapping: true) { run in
      try editThreeTimes(run, fails: true) { FixedNoteViewModel($0, $1) }
    }
  }
}
