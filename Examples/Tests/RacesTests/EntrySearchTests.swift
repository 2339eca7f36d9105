import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

struct EntrySearchTests {
  private func search(
    _ run: Exploration,
    _ make: ((any Scheduler)?, @escaping @Sendable (String) async throws -> [String]) -> EntrySearch
  ) -> EntrySearch {
    make(run.scheduler) { text in
      try await run.request("search \(text)", failing: URLError(.timedOut), changes: false) {
        ["bank", "bar", "box"].filter { $0.hasPrefix(text) }
      }
    }
  }

  private func typeTwice(_ run: Exploration, _ search: EntrySearch) -> [String] {
    search.execute(.type("b"))
    run.mayArrive()
    search.execute(.type("ba"))
    run.allArrive()
    return search.currentState.results
  }

  @Test func anOlderSearchFinishesLast() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in typeTwice(run, search(run, EntrySearch.init)) }
    }
    #expect("\(endings)".contains("The outcome depends on the order of the responses"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        try run.expect(typeTwice(run, search(run, EntrySearch.init)), equals: ["bank", "bar"])
      }
    }
    #expect("\(failure)".hasPrefix("fails in 4 of 10 orders, first in"), "\(failure)")
  }

  private static let entries = ["b": ["bank", "bar", "box"], "ba": ["bank", "bar"], "bo": ["box"]]

  @Test func theResultsBelongToTheText() throws {
    let report = try explore { run in
      let search = search(run, CuredEntrySearch.init)
      run.always(search) { $0.results.isEmpty || $0.results == Self.entries[$0.text] }
      return typeTwice(run, search)
    }
    #expect(report.isExhaustive && report.runs == 22, "\(report)")
  }

  @Test func whateverTheUserTypes() throws {
    try explore(limit: 2_000, overlapping: true) { run in
      let search = search(run, CuredEntrySearch.init)
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
