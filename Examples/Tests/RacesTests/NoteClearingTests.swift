import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

struct NoteClearingTests {
  private final class Server: Sendable {
    let notes = MutableProperty([Int: String]())
    let requests = MutableProperty([String]())

    /// Requests for one note reach the server in their order, as on one connection.
    func save(_ run: Exploration) -> @Sendable (Note) async throws -> Void {
      { [self] note in
        requests.update { $0.append(note.text) }
        try await run.request("save note \(note.id)", failing: URLError(.timedOut), inOrder: true) { [self] in
          notes.update { $0[note.id] = note.text }
        }
      }
    }
  }

  @Test func theSwipeClearsWhatIsNotSaved() throws {
    func typeAndSwipe(_ run: Exploration) -> [Int: String] {
      let server = Server()
      let card = FeatureViewModel(
        NoteCard(save: server.save(run)), initialState: NoteCard.State(), scheduler: run.scheduler)
      card.execute(.type("a"))
      run.mayArrive()
      card.execute(.swipe)
      run.allArrive()
      return server.notes.value
    }
    let endings = try #require(throws: TestFailure.self) { try explore(failures: 0) { typeAndSwipe($0) } }
    #expect("\(endings)".contains("The outcome depends on the order of the responses"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in try run.expect(typeAndSwipe(run), equals: [1: "a"]) }
    }
    #expect("\(failure)".hasPrefix("fails in 1 of 4 orders, first in"), "\(failure)")
  }

  private func makeCard(_ run: Exploration, _ server: Server) -> FeatureViewModel<CuredNoteCard> {
    FeatureViewModel(
      CuredNoteCard(save: server.save(run)), initialState: NoteCard.State(), scheduler: run.scheduler
    ) { _ in }
  }

  @Test func theSwipeSavesImmediately() throws {
    let report = try explore(failures: 0) { run in
      let server = Server()
      let card = makeCard(run, server)
      card.execute(.type("a"))
      card.execute(.swipe)
      run.scheduler.advance()
      try run.expect(server.requests.value == ["a"] && card.currentState.note == Note(id: 2))
      run.allArrive()
      try run.expect(server.notes.value, equals: [1: "a"])
    }
    #expect(report.isExhaustive && report.runs == 1, "\(report)")
  }

  /// In the end each note is stored as typed. The user saves those once more whose last save has failed.
  private func check(
    _ card: FeatureViewModel<CuredNoteCard>, _ server: Server, _ typed: [Int: String], _ run: Exploration
  ) throws {
    run.allArrive()
    for note in card.currentState.unsaved.values { card.execute(.save(note)) }
    run.allArrive()
    try run.expect(card.currentState.unsaved, equals: [:])
    try run.expect(server.notes.value, equals: typed)
  }

  @Test func bothNotesAreSaved() throws {
    let report = try explore { run in
      let server = Server()
      let card = makeCard(run, server)
      for text in ["a", "ab"] {
        card.execute(.type(text))
        run.mayArrive()
      }
      card.execute(.swipe)
      card.execute(.type("b"))
      try check(card, server, [1: "ab", 2: "b"], run)
    }
    #expect(report.isExhaustive && report.runs == 2_575, "\(report)")
  }

  @Test func whateverTheUserTypes() throws {
    try explore(limit: 2_000, overlapping: true) { run in
      let server = Server()
      let card = makeCard(run, server)
      var (id, typed) = (1, [Int: String]())
      for _ in 0..<run.choose(0...6) {
        if run.choose(false, true) {
          card.execute(.swipe)
          id += 1
        } else {
          typed[id] = run.choose("a", "b", "")
          card.execute(.type(typed[id]!))
        }
        run.mayArrive()
      }
      try check(card, server, typed, run)
    }
  }
}
