import Races
import RxViewModel
import RxViewModelTesting
import Testing

extension RaceServer<Set<Int>> {
  fileprivate var service: ArticleService {
    ArticleService(
      markRead: { articles in try await self.write("mark \(articles.sorted())") { $0.subtract(articles) } },
      unread: { try await self.read("unread") { $0 } })
  }
}

struct ArticleListTests {
  private typealias Make = (ArticleService, Set<Int>, (any Scheduler)?) -> ArticleList

  /// Reads one article before a sync, and one during it. Returns what the user sees in the end.
  private func readDuringSync(_ run: Exploration, _ make: Make) -> ArticleState {
    let server = RaceServer(run, Set(1...3))
    let list = make(server.service, server.content, run.scheduler)
    list.execute(.markRead(1))
    list.execute(.sync)
    run.mayArrive()
    list.execute(.markRead(2))
    run.allArrive()
    return list.currentState
  }

  @Test func theAnswerMakesAnArticleUnread() throws {
    let failure = try #require(throws: TestFailure.self) {
      try explore { run in readDuringSync(run) { ArticleList($0, unread: $1, scheduler: $2) } }
    }
    #expect("\(failure)".hasPrefix("fails in 1 of 5 orders, first in"), "\(failure)")
  }

  @Test func whatIsReadDuringASyncStaysRead() throws {
    let report = try explore { run in readDuringSync(run) { CuredArticleList($0, unread: $1, scheduler: $2) } }
    #expect(report.isExhaustive)
    #expect(report.runs == 5)
  }

  /// What has been read is never unread again, and the server knows it after a sync that doesn't fail.
  private func play(_ run: Exploration, _ actions: [ArticleAction]) throws {
    let server = RaceServer(run, Set(1...3), fails: true)
    let list = CuredArticleList(server.service, unread: server.content, scheduler: run.scheduler)
    list.expectErrors()
    let unread = MutableProperty(server.content)
    run.always(list, "a read article is unread again") { $0.unread.isSubset(of: unread.value) }
    for action in actions {
      list.execute(action)
      run.scheduler.advance(by: .zero)
      if case .markRead(let article) = action { unread.value.remove(article) }
      run.mayArrive()
    }
    run.allArrive()
    server.recover()
    list.execute(.sync)
    run.allArrive()
    try run.expect(list.currentState.unread, equals: unread.value)
    try run.expect(server.content, equals: unread.value)
    try run.expect(list.currentState.pending.isEmpty)
  }

  @Test func theServerKnowsItAfterFailures() throws {
    let report = try explore { try play($0, [.markRead(1), .sync, .markRead(2)]) }
    #expect(report.isExhaustive)
    #expect(report.runs == 70)
  }

  @Test func anyActionsAtAnyTime() throws {
    try explore(limit: 2_000, failures: 2) { run in
      try play(run, (0..<run.choose(0...6)).map { _ in run.choose(.markRead(1), .sync, .markRead(2)) })
    }
  }
}
