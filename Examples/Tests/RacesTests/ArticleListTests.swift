import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

struct ArticleListTests {
  private typealias Make = (ArticleService, Set<Int>, (any Scheduler)?) -> ArticleList

  private func service(_ run: Exploration, _ stored: MutableProperty<Set<Int>>) -> ArticleService {
    ArticleService(
      markRead: { articles in
        try await run.request("mark \(articles.sorted())", failing: URLError(.timedOut)) {
          stored.update { $0.subtract(articles) }
        }
      },
      unread: { try await run.request("unread", failing: URLError(.timedOut), changes: false) { stored.value } })
  }

  /// Reads one article before a sync, and one during it. Returns what the user sees in the end.
  private func readDuringSync(_ run: Exploration, _ make: Make) -> Set<Int> {
    let stored = MutableProperty(Set(1...3))
    let list = make(service(run, stored), stored.value, run.scheduler)
    list.execute(.markRead(1))
    list.execute(.sync)
    run.mayArrive()
    list.execute(.markRead(2))
    run.allArrive()
    return list.currentState.unread
  }

  @Test func theAnswerMakesAnArticleUnread() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in readDuringSync(run) { ArticleList($0, unread: $1, scheduler: $2) } }
    }
    #expect("\(endings)".contains("The outcome depends on the order of the responses"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        try run.expect(readDuringSync(run) { ArticleList($0, unread: $1, scheduler: $2) }, equals: [3])
      }
    }
    #expect("\(failure)".hasPrefix("fails in 4 of 5 orders, first in"), "\(failure)")
  }

  @Test func whatIsReadDuringASyncStaysRead() throws {
    let report = try explore(failures: 0) { run in
      try run.expect(readDuringSync(run) { CuredArticleList($0, unread: $1, scheduler: $2) }, equals: [3])
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 5)
  }

  /// What has been read is never unread again, and the server knows it after a sync that doesn't fail.
  private func play(_ run: Exploration, _ actions: [ArticleAction]) throws {
    let stored = MutableProperty(Set(1...3))
    let list = CuredArticleList(service(run, stored), unread: stored.value, scheduler: run.scheduler)
    let unread = MutableProperty(stored.value)
    run.always(list, "a read article is unread again") { $0.unread.isSubset(of: unread.value) }
    for action in actions {
      list.execute(action)
      run.scheduler.advance(by: .zero)
      if case .markRead(let article) = action { unread.value.remove(article) }
      run.mayArrive()
    }
    run.allArrive()
    run.recover()
    list.execute(.sync)
    run.allArrive()
    try run.expect(list.currentState.unread, equals: unread.value)
    try run.expect(stored.value, equals: unread.value)
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
