import Races
import RxViewModel
import RxViewModelTesting
import Synchronization
import Testing

private struct Records: Equatable {
  var all: [Int] = []
  var last = 0

  /// A user follows another one once.
  mutating func add() -> Int {
    if !all.isEmpty { return last }
    last += 1
    all.append(last)
    return last
  }
}

extension RaceServer<Records> {
  fileprivate var service: FollowService {
    FollowService(
      follow: { try await self.write("follow") { $0.add() } },
      unfollow: { record in try await self.write("unfollow") { $0.all.removeAll { $0 == record } } },
      record: { try await self.read("refresh") { $0.all.first } })
  }
}

struct FollowButtonTests {
  private typealias Make = (FollowService, any Scheduler) -> FollowButton

  /// Taps twice. Returns what the user and the server have in the end.
  private func tapTwice(_ run: Exploration, _ make: Make) -> [Bool] {
    let server = RaceServer(run, Records())
    let button = make(server.service, run.scheduler)
    button.execute(.setFollowed(true))
    run.mayArrive()
    button.execute(.setFollowed(false))
    run.allArrive()
    return [button.currentState.isFollowed, !server.content.all.isEmpty]
  }

  @Test func theSecondTapHasNoRecordYet() throws {
    let failure = try #require(throws: TestFailure.self) { try explore { tapTwice($0, FollowButton.init) } }
    #expect("\(failure)".hasPrefix("fails in 1 of 3 orders, first in"), "\(failure)")
  }

  @Test func aLaneKeepsTheLastTap() throws {
    let report = try explore { run in
      try run.expect(tapTwice(run, CuredFollowButton.init), equals: [false, false])
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 3)
  }

  /// Taps and refreshes at any time, with failures. In the end the screen is as the server.
  private func tap(_ run: Exploration, _ actions: [FollowAction]) throws {
    let server = RaceServer(run, Records(), fails: true)
    let button = CuredFollowButton(server.service, scheduler: run.scheduler)
    let hasFailed = Mutex(false)
    _ = button.errorObservable.subscribe(onNext: { _ in hasFailed.withLock { $0 = true } })
    var last = false
    for action in actions {
      button.execute(action)
      if case .setFollowed(let isFollowed) = action {
        last = isFollowed
        run.scheduler.advance(by: .zero)
        try run.expect(button.currentState.isFollowed == isFollowed, "each tap shows")
      }
      run.mayArrive()
    }
    run.allArrive()
    if !hasFailed.withLock({ $0 }) {
      try run.expect(
        button.currentState.isFollowed == last && server.content.all.isEmpty != last, "the last tap counts")
    }
    server.recover()
    button.execute(.refresh)
    run.allArrive()
    try run.expect(button.currentState.record == server.content.all.first)
    try run.expect(button.currentState.isFollowed == !server.content.all.isEmpty)
  }

  @Test func theScreenEndsAsTheServerAfterFailures() throws {
    let report = try explore {
      try tap($0, [.setFollowed(true), .setFollowed(false), .setFollowed(true), .setFollowed(false)])
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 1308)
  }

  @Test func aRefreshAtAnyTime() throws {
    let report = try explore { try tap($0, [.refresh, .setFollowed(true)]) }
    #expect(report.isExhaustive)
    #expect(report.runs == 260)
  }

  @Test func anyActionsAtAnyTime() throws {
    try explore(limit: 2_000, failures: 2) { run in
      try tap(run, (0..<run.choose(0...6)).map { _ in run.choose(.setFollowed(true), .setFollowed(false), .refresh) })
    }
  }
}
