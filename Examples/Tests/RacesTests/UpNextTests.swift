import Foundation
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

struct UpNextTests {
  private typealias Make = (UpNextService, any Scheduler) -> UpNext

  private func service(_ run: Exploration, _ account: MutableProperty<Account>) -> UpNextService {
    UpNextService { changes in
      let label = "sync \(changes.map { "\($0.isAdded ? "+" : "-")\($0.episode)" })"
      return try await run.request(label, failing: URLError(.timedOut)) { account.update { $0.sync(changes) } }
    }
  }

  /// Removes an episode during a sync. Returns what the user sees in the end.
  private func removeDuringSync(_ run: Exploration, _ make: Make) -> [Int] {
    let upNext = make(service(run, MutableProperty(Account())), run.scheduler)
    upNext.execute(.add(2))
    upNext.execute(.sync)
    run.mayArrive()
    upNext.execute(.remove(1))
    run.allArrive()
    return upNext.currentState.episodes
  }

  @Test func theAnswerPutsAnEpisodeBack() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in removeDuringSync(run) { UpNext($0, episodes: [1], scheduler: $1) } }
    }
    #expect("\(endings)".contains("The outcome depends on the order of the responses"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        try run.expect(!removeDuringSync(run) { UpNext($0, episodes: [1], scheduler: $1) }.contains(1))
      }
    }
    #expect("\(failure)".hasPrefix("fails in 2 of 3 orders, first in"), "\(failure)")
  }

  @Test func whatIsRemovedDuringASyncStaysRemoved() throws {
    let report = try explore(failures: 0) { run in
      try run.expect(!removeDuringSync(run) { CuredUpNext($0, episodes: [1], scheduler: $1) }.contains(1))
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 3)
  }

  /// After each action, the list has each episode as the user's last action on it says. After a sync that doesn't fail, the server has the
  /// same list.
  private func play(_ run: Exploration, _ actions: [UpNextAction]) throws {
    let account = MutableProperty(Account())
    let upNext = CuredUpNext(service(run, account), episodes: [1], scheduler: run.scheduler)
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
    run.recover()
    upNext.execute(.sync)
    run.allArrive()
    try run.expect(upNext.currentState.episodes, equals: account.value.episodes)
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
