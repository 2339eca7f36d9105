import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

struct ChannelFeedTests {
  private typealias Make = (AuthorService, any Scheduler) -> ChannelFeed
  private let authors = [1: "ann", 2: "bob"]
  private let corrected = [1: ChannelPost(author: "ann", text: "hello")]

  private func service(_ run: Exploration) -> AuthorService {
    AuthorService { [authors] author in
      try await run.request("author \(author)", failing: URLError(.timedOut), changes: false) {
        authors[author] ?? ""
      }
    }
  }

  /// A post is edited while its author is looked up. Returns what the user sees in the end.
  private func reconnect(_ run: Exploration, _ make: Make) -> [Int: ChannelPost] {
    let feed = make(service(run), run.scheduler)
    feed.execute(.created(id: 1, author: 1, text: "helo"))
    run.mayArrive()
    feed.execute(.edited(id: 1, text: "hello"))
    run.allArrive()
    return feed.currentState
  }

  @Test func anEditComesBeforeItsPost() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in reconnect(run) { ChannelFeed($0, scheduler: $1) } }
    }
    #expect("\(endings)".contains("The outcome depends on the order of the responses"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        try run.expect(reconnect(run) { ChannelFeed($0, scheduler: $1) }, equals: corrected)
      }
    }
    #expect("\(failure)".hasPrefix("fails in 2 of 3 orders, first in"), "\(failure)")
  }

  @Test func aLaneKeepsTheOrder() throws {
    let report = try explore(failures: 0) { run in
      try run.expect(reconnect(run) { CuredChannelFeed($0, scheduler: $1) }, equals: corrected)
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 3)
  }

  /// The feed ends as if one event had been handled after the other.
  private func play(_ run: Exploration, _ events: [ChannelEvent]) throws {
    let feed = CuredChannelFeed(service(run), scheduler: run.scheduler)
    var posts: [Int: ChannelPost] = [:]
    for event in events {
      switch event {
      case .created(let id, let author, let text): posts[id] = ChannelPost(author: authors[author]!, text: text)
      case .edited(let id, let text): posts[id]?.text = text
      case .deleted(let id): posts[id] = nil
      }
      feed.execute(event)
      run.mayArrive()
    }
    run.allArrive()
    try run.expect(feed.currentState, equals: posts)
  }

  @Test func aFailedLookUpIsTriedAgain() throws {
    let report = try explore {
      try play(
        $0, [.created(id: 1, author: 1, text: "helo"), .edited(id: 1, text: "hello"), .deleted(id: $0.choose(1, 2))])
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 340)
  }

  @Test func anyEventsAtAnyTime() throws {
    try explore(limit: 2_000, failures: 2) { run in
      try play(
        run,
        (0..<run.choose(0...6)).map { number in
          let id = run.choose(1, 2)
          return run.choose(
            .created(id: id, author: id, text: "\(number)"), .edited(id: id, text: "\(number)"), .deleted(id: id))
        })
    }
  }
}
