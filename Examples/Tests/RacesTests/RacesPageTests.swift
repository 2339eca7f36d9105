import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

/// The pictures and the numbers on the page *Races of real apps* are those of real runs.
struct RacesPageTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
  private static let catalog = tests.appending(path: "../../../Sources/RxViewModel/RxViewModel.docc").standardized

  /// With `DRAW_RACES=1` in the environment, writes the picture instead of comparing it.
  private func expectPicture(_ name: String, of failure: TestFailure, title: String) throws {
    let (file, picture) = (Self.catalog.appending(path: name), racePicture(of: "\(failure)", title: title))
    if ProcessInfo.processInfo.environment["DRAW_RACES"] != nil {
      try picture.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(
      try String(contentsOf: file, encoding: .utf8) == picture,
      "DRAW_RACES=1 swift test --package-path Examples --filter RacesPageTests draws the picture")
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
        try run.expect(search.currentState.results == ["ab"])
      }
    }
    try expectPicture("race-search.svg", of: failure, title: "The results of an older text come last")
  }

  @Test func aSecondTapComesBeforeTheAnswerToTheFirst() throws {
    let failure = try #require(throws: TestFailure.self) {
      try explore { run in
        let record = MutableProperty(Int?.none)
        let service = FollowService {
          try await run.request("follow") {
            record.value = 7
            return 7
          }
        } unfollow: { _ in
          try await run.request("unfollow") { record.value = nil }
        } record: {
          nil
        }
        let button = FollowButton(service, scheduler: run.scheduler)
        button.execute(.setFollowed(true))
        run.mayArrive()
        button.execute(.setFollowed(false))
        run.allArrive()
        try run.expect(button.currentState.isFollowed == (record.value != nil))
      }
    }
    try expectPicture("race-follow.svg", of: failure, title: "An unfollow has no record yet, and is not sent")
  }

  /// Each race has a row, whose number is one that a test of it asserts.
  @Test func theNumbersOfThePageAreAsserted() throws {
    let page = try String(contentsOf: Self.catalog.appending(path: "RacesOfRealApps.md"), encoding: .utf8)
    let rows = page.matches(of: /\| (\d+ of \d+) \|/).map { "fails in \($0.output.1) orders, first in" }
    #expect(rows.count == 15)
    let files = try FileManager.default.contentsOfDirectory(at: Self.tests, includingPropertiesForKeys: nil)
    let tests = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    for row in rows { #expect(tests.contains(row)) }
  }
}
