import Races
import RxViewModel
import RxViewModelTesting
import Testing

struct EntrySearchTests {
  private func search(
    _ run: Exploration, fails: Bool = false,
    _ make: ((any Scheduler)?, @escaping @Sendable (String) async throws -> [String]) -> EntrySearch
  ) -> EntrySearch {
    let server = RaceServer(run, ["bank", "bar", "box"], fails: fails)
    let search = make(run.scheduler) { text in
      try await server.read("search \(text)") { $0.filter { $0.hasPrefix(text) } }
    }
    search.expectErrors()
    return search
  }

  private func typeTwice(_ run: Exploration, _ search: EntrySearch) -> EntrySearchState {
    search.execute(.type("b"))
    run.mayArrive()
    search.execute(.type("ba"))
    run.allArrive()
    return search.currentState
  }

  @Test func anOlderSearchFinishesLast() throws {
    let failure = try #require(throws: TestFailure.self) {
      try explore { run in typeTwice(run, search(run, EntrySearch.init)) }
    }
    #expect("\(failure)".hasPrefix("fails in 4 of 10 orders, first in"), "\(failure)")
    #expect("\(failure)".contains("The outcome depends on the order of the responses: results"), "\(failure)")
  }

  private static let entries = ["b": ["bank", "bar", "box"], "ba": ["bank", "bar"], "bo": ["box"]]

  @Test func theResultsBelongToTheText() throws {
    let report = try explore { run in
      let search = search(run, fails: true, CuredEntrySearch.init)
      run.always(search) { $0.results.isEmpty || $0.results == Self.entries[$0.text] }
      return typeTwice(run, search)
    }
    #expect(report.isExhaustive && report.runs == 22, "\(report)")
  }

  @Test func whateverTheUserTypes() throws {
    try explore(limit: 2_000, overlapping: true) { run in
      let search = search(run, fails: true, CuredEntrySearch.init)
      run.always(search) { $0.results.isEmpty || $0.results == Self.entries[$0.text] }
      for _ in 0..<run.choose(1...6) {
        search.execute(.type(run.choose("b", "ba", "bo")))
        run.mayArrive()
      }
      run.allArrive()
      // A search that has failed shows nothing. The next one shows its results.
      if search.currentState.results.isEmpty { search.execute(.type(search.currentState.text)) }
      run.allArrive()
      try run.expect(search.currentState.results, equals: Self.entries[search.currentState.text]!)
    }
  }
}
