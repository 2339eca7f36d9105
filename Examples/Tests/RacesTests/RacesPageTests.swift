import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

/// The failures on the page *Races of real apps* are those of these runs.
struct RacesPageTests {
  private func expectOnPage(_ failure: TestFailure) throws {
    let page = URL(filePath: #filePath).appending(
      path: "../../../../Sources/RxViewModel/RxViewModel.docc/RacesOfRealApps.md"
    ).standardized
    let table = "\(failure)".split(separator: "\n").dropFirst().prefix {
      !$0.hasPrefix("in \"") && !$0.hasPrefix("The ") && !$0.hasPrefix("Ex")
    }
    .joined(separator: "\n")
    #expect(try String(contentsOf: page, encoding: .utf8).contains(table), "the page lacks:\n\(failure)")
  }

  @Test func anOlderResponseComesLast() throws {
    let failure = try #require(throws: TestFailure.self) {
      try explore { run in
        let search = EntrySearch(scheduler: run.scheduler) { text in
          try await run.request("find \(text)", changes: false) { [text] }
        }
        search.execute(.type("a"))
        run.mayArrive()
        search.execute(.type("ab"))
        run.allArrive()
        return search.currentState
      }
    }
    try expectOnPage(failure)
  }

  @Test func aSecondTapComesBeforeTheAnswerToTheFirst() throws {
    let failure = try #require(throws: TestFailure.self) {
      try explore { run in
        let server = RaceServer(run, Int?.none)
        let service = FollowService {
          try await server.write("follow") {
            $0 = 7
            return 7
          }
        } unfollow: { _ in
          try await server.write("unfollow") { $0 = nil }
        } record: {
          nil
        }
        let button = FollowButton(service, scheduler: run.scheduler)
        button.execute(.setFollowed(true))
        run.mayArrive()
        button.execute(.setFollowed(false))
        run.allArrive()
        try run.expect(button.currentState.isFollowed, equals: server.content != nil)
      }
    }
    try expectOnPage(failure)
  }
}
