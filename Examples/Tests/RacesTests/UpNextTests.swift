import Races
import RxViewModel
import RxViewModelTesting
import Testing

private struct Account: Equatable {
  /// Another device has added 9.
  var episodes = [1, 9]
  var numbers: [Int: Int] = [:]

  mutating func sync(_ changes: [UpNextState.Change]) -> [Int] {
    for change in changes where change.number > numbers[change.episode, default: 0] {
      numbers[change.episode] = change.number
      episodes.removeAll { $0 == change.episode }
      if change.isAdded { episodes.append(change.episode) }
    }
    return episodes
  }
}

extension RaceServer<Account> {
  fileprivate var service: UpNextService {
    UpNextService { changes in
      try await self.write("sync \(changes.map { "\($0.isAdded ? "+" : "-")\($0.episode)" })") { $0.sync(changes) }
    }
  }
}

struct UpNextTests {
  private typealias Make = (UpNextService, any Scheduler) -> UpNext

  /// Removes an episode during a sync. Returns what the user sees in the end.
  private func removeDuringSync(_ run: Exploration, _ make: Make) -> [Int] {
    let upNext = make(RaceServer(run, Account()).service, run.scheduler)
    upNext.execute(.add(2))
    upNext.execute(.sync)
    run.mayArrive()
    upNext.execute(.remove(1))
    run.allArrive()
    return upNext.currentState.episodes
  }

  @Test func theAnswerPutsAnEpisodeBack() throws {
    let failure = try #require(throws: TestFailure.self) {
      try explore { run in removeDuringSync(run) { UpNext($0, episodes: [1], scheduler: $1) } }
    }
    #expect("\(failure)".hasPrefix("fails in 1 of 3 orders, first in"), "\(failure)")
  }

  @Test func whatIsRemovedDuringASyncStaysRemoved() throws {
    let report = try explore { run in removeDuringSync(run) { CuredUpNext($0, episodes: [1], scheduler: $1) } }
    #expect(report.isExhaustive)
    #expect(report.runs == 3)
  }

  /// After each action, the list has each episode as the user's last action on it says. After a sync that doesn't fail, the server has the
  /// same list.
  private func play(_ run: Exploration, _ actions: [UpNextAction]) throws {
    let server = RaceServer(run, Account(), fails: true)
    let upNext = CuredUpNext(server.service, episodes: [1], scheduler: run.scheduler)
    upNext.expectErrors()
    let wishes = MutableProperty([Int: Bool]())
    run.always(upNext, "an episode is back, or gone") { state in
      wishes.value.allSatisfy { state.episodes.contains($0) == $1 } && Set(state.episodes).count == state.episodes.count
    }
    for action in actions {
      switch action {
      case .add(let episode): wishes.value[episode] = true
      case .remove(let episode): wishes.value[episode] = false
      case .sync: break
      }
      upNext.execute(action)
      run.mayArrive()
    }
    run.allArrive()
    server.recover()
    upNext.execute(.sync)
    run.allArrive()
    try run.expect(upNext.currentState.episodes, equals: server.content.episodes)
    try run.expect(upNext.currentState.changes.isEmpty)
  }

  @Test func theServerHasTheSameListAfterFailures() throws {
    let report = try explore { try play($0, [.add(2), .sync, .remove(2), .sync, .add(2)]) }
    #expect(report.isExhaustive)
    #expect(report.runs == 945)
  }

  @Test func anyActionsAtAnyTime() throws {
    try explore(limit: 2_000, failures: 2) { run in
      try play(run, (0..<run.choose(0...6)).map { _ in run.choose(.remove(1), .sync, .add(2), .remove(2), .add(1)) })
    }
  }
}
