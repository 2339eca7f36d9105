import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

struct WalletRefreshTests {
  private struct Fixture {
    let run: Exploration
    /// The transactions that the server has, of each account.
    let ledger = MutableProperty(["a": ["a1"], "b": ["b1"]])
    let wallet: WalletRefresh
    let errors: TestObserver<any Error>

    init(
      _ run: Exploration,
      _ make: (String, (any Scheduler)?, @escaping @Sendable (String) async throws -> [String]) -> WalletRefresh
    ) {
      let ledger = ledger
      self.run = run
      wallet = make("a", run.scheduler) { account in
        try await run.request("fetch \(account)", failing: URLError(.timedOut), changes: false) {
          ledger.value[account] ?? []
        }
      }
      errors = wallet.errorObservable.test(run.scheduler)
    }

    /// There is a new transaction, and the wallet gets a hint.
    func add() {
      ledger.update { $0[wallet.currentState.account]!.append("new") }
      wallet.execute(.fetch)
    }

    /// In the end the list is complete, if need be after one more fetch.
    func check() throws {
      run.allArrive()
      if !errors.values.isEmpty {
        wallet.execute(.fetch)
        run.allArrive()
      }
      let state = wallet.currentState
      try run.expect(state.transactions, equals: ledger.value[state.account]!)
    }

    func expectOneFetchAtATime() {
      let running = MutableProperty(Set<UInt64>())
      _ = wallet.executionObservable.filter { $0.action == .fetch }.subscribe(onNext: { [run] step in
        switch step.phase {
        case .started:
          running.update { _ = $0.insert(step.id) }
          try? run.expect(running.value.count == 1, "one fetch at a time")
        case .completed, .failed, .cancelled: running.update { _ = $0.remove(step.id) }
        case .waiting, .emitted, .dropped: break
        }
      })
    }
  }

  private func fetchAndSelect(_ fixture: Fixture, _ run: Exploration) -> WalletState {
    fixture.wallet.execute(.fetch)
    run.mayArrive()
    fixture.wallet.execute(.select(account: "b"))
    run.allArrive()
    return fixture.wallet.currentState
  }

  @Test func theFlagStaysSet() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { fetchAndSelect(Fixture($0, WalletRefresh.init), $0) }
    }
    #expect(
      "\(endings)".contains("The outcome depends on the order of the responses: transactions, isFetching"), "\(endings)"
    )
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        try run.expect(fetchAndSelect(Fixture(run, WalletRefresh.init), run).transactions == ["b1"])
      }
    }
    #expect("\(failure)".hasPrefix("fails in 2 of 3 orders, first in"), "\(failure)")
  }

  @Test func theFlagStopsTheLastHint() throws {
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        let fixture = Fixture(run, WalletRefresh.init)
        fixture.add()
        run.mayArrive()
        fixture.add()
        try fixture.check()
      }
    }
    #expect("\(failure)".hasPrefix("fails in 1 of 3 orders, first in"), "\(failure)")
  }

  @Test func aSelectedAccountLoads() throws {
    let report = try explore(failures: 0) { fetchAndSelect(Fixture($0, CuredWalletRefresh.init), $0) }
    #expect(report.isExhaustive && report.runs == 3, "\(report)")
  }

  @Test func theLastHintIsNotLost() throws {
    let report = try explore { run in
      let fixture = Fixture(run, CuredWalletRefresh.init)
      fixture.expectOneFetchAtATime()
      for _ in 0..<2 {
        fixture.add()
        run.mayArrive()
      }
      fixture.wallet.execute(.select(account: "b"))
      run.mayArrive()
      fixture.add()
      try fixture.check()
    }
    #expect(report.isExhaustive && report.runs == 618, "\(report)")
  }

  @Test func whateverTheUserSelects() throws {
    try explore(limit: 2_000, overlapping: true) { run in
      let fixture = Fixture(run, CuredWalletRefresh.init)
      fixture.expectOneFetchAtATime()
      for _ in 0..<run.choose(1...6) {
        switch run.choose(0...2) {
        case 0: fixture.add()
        case let account: fixture.wallet.execute(.select(account: ["a", "b"][account - 1]))
        }
        run.mayArrive()
      }
      try fixture.check()
    }
  }
}
