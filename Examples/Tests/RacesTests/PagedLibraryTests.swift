import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

struct PagedLibraryTests {
  private typealias Make = ((any Scheduler)?, @escaping @Sendable (String, Int) async throws -> [String]) ->
    PagedLibrary

  private static func rows(_ query: String, _ indices: Range<Int>) -> [String] { indices.map { "\(query) \($0)" } }

  private func makeLibrary(_ run: Exploration, _ make: Make) -> PagedLibrary {
    make(run.scheduler) { query, offset in
      try await run.request("\(query) from \(offset)", failing: URLError(.timedOut), changes: false) {
        Self.rows(query, offset..<offset + 2)
      }
    }
  }

  private func pageAndShow(_ library: PagedLibrary, _ run: Exploration) {
    library.execute(.show("cat"))
    run.allArrive()
    library.execute(.nextPage)
    run.mayArrive()
    library.execute(.show("dog"))
    run.allArrive()
  }

  @Test func theOldPageFillsTheNewList() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        let library = makeLibrary(run, PagedLibrary.init)
        pageAndShow(library, run)
        return library.currentState
      }
    }
    #expect("\(endings)".contains("The outcome depends on the order of the responses: rows"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        let library = makeLibrary(run, PagedLibrary.init)
        pageAndShow(library, run)
        try run.expect(library.currentState.rows, equals: Self.rows("dog", 0..<2))
      }
    }
    #expect("\(failure)".hasPrefix("fails in 2 of 3 orders, first in"), "\(failure)")
  }

  private func expectRowsOfTheQuery(_ library: PagedLibrary, _ run: Exploration) {
    run.always(library) { $0.rows == Self.rows($0.query, 0..<$0.rows.count) }
  }

  /// In the end the list is not empty, if need be after the user has tried again.
  private func check(_ library: PagedLibrary, _ run: Exploration) throws {
    run.allArrive()
    if library.currentState.rows.isEmpty { library.execute(.nextPage) }
    run.allArrive()
    try run.expect(!library.currentState.rows.isEmpty)
  }

  @Test func theRowsBelongToTheQuery() throws {
    let report = try explore { run in
      let library = makeLibrary(run, CuredPagedLibrary.init)
      expectRowsOfTheQuery(library, run)
      pageAndShow(library, run)
      try run.expect(library.currentState.query == "dog")
      library.execute(.nextPage)
      try check(library, run)
    }
    #expect(report.isExhaustive && report.runs == 40, "\(report)")
  }

  @Test func whateverTheUserDoes() throws {
    try explore(limit: 2_000, overlapping: true) { run in
      let library = makeLibrary(run, CuredPagedLibrary.init)
      expectRowsOfTheQuery(library, run)
      library.execute(.show("cat"))
      for _ in 0..<run.choose(0...6) {
        library.execute(run.choose(.nextPage, .show("cat"), .show("dog")))
        run.mayArrive()
      }
      try check(library, run)
    }
  }
}
