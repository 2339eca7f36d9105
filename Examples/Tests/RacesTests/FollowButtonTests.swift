import Foundation
import Races
import RxViewModel
import RxViewModelTesting
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

struct FollowButtonTests {
  private typealias Make = (FollowService, any Scheduler) -> FollowButton

  private func service(_ run: Exploration, _ records: MutableProperty<Records>) -> FollowService {
    FollowService(
      follow: { try await run.request("follow", failing: URLError(.timedOut)) { records.update { $0.add() } } },
      unfollow: { record in
        try await run.request("unfollow", failing: URLError(.timedOut)) {
          records.update { $0.all.removeAll { $0 == record } }
        }
      },
      record: {
        try await run.request("refresh", failing: URLError(.timedOut), changes: false) { records.value.all.first }
      })
  }

  /// Taps twice. Returns what the user and the server have in the end.
  private func tapTwice(_ run: Exploration, _ make: Make) -> [Bool] {
    let records = MutableProperty(Records())
    let button = make(service(run, records), run.scheduler)
    button.execute(.setFollowed(true))
    run.mayArrive()
    button.execute(.setFollowed(false))
    run.allArrive()
    return [button.currentState.isFollowed, !records.value.all.isEmpty]
  }

  @Test func theSecondTapHasNoRecordYet() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { tapTwice($0, FollowButton.init) }
    }
    #expect("\(endings)".contains("The outcome depends on the order of the responses"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in try run.expect(tapTwice(run, FollowButton.init), equals: [false, false]) }
    }
    #expect("\(failure)".hasPrefix("fails in 2 of 3 orders, first in"), "\(failure)")
  }

  @Test func aLaneKeepsTheLastTap() throws {
    let report = try explore(failures: 0) { run in
      try run.expect(tapTwice(run, CuredFollowButton.init), equals: [false, false])
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 3)
  }

  /// Taps and refreshes at any time, with failures. In the end the screen is as the server.
  private func tap(_ run: Exploration, _ actions: [FollowAction]) throws {
    let records = MutableProperty(Records())
    let button = CuredFollowButton(service(run, records), scheduler: run.scheduler)
    let errors = button.errorObservable.test(run.scheduler)
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
    if errors.values.isEmpty {
      try run.expect(
        button.currentState.isFollowed == last && records.value.all.isEmpty != last, "the last tap counts")
    }
    run.recover()
    button.execute(.refresh)
    run.allArrive()
    try run.expect(button.currentState.record == records.value.all.first)
    try run.expect(button.currentState.isFollowed == !records.value.all.isEmpty)
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
