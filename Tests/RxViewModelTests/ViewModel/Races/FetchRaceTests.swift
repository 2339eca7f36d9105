import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private enum WalletAction: Sendable, Equatable {
  case fetch
  case switchAccount(String)
}

private struct WalletState: Sendable, Equatable {
  var account = "a"
  var rows: [String] = []
}

// Race 9, zodl-inc/zodl-ios PR 2062: a flag that a switch of the account leaves set lets no fetch start any more. Wanted: one fetch runs,
// the newest waits, and after a switch a fetch still starts.
@Suite(.asyncEffects) struct FetchRaceTests {
  private func fetchAndSwitch(_ run: Exploration, _ mode: @escaping @Sendable (WalletAction) -> ExecutionMode) throws {
    let (running, begun) = (Locked(0), Locked(0))
    let server = RaceServer(run, ["a": ["a1"], "b": ["b1"]])
    let wallet = ClosureViewModel<WalletAction, WalletState>(WalletState(), scheduler: run.scheduler) {
      wallet, action in
      switch action {
      case .fetch:
        let account = wallet.currentState.account
        return Observable.task { try await server.request("fetch \(account)") { $0[account] ?? [] } }
          .do(
            onSubscribe: {
              begun.increment()
              running.increment()
            }, onDispose: { running.mutate { $0 -= 1 } }
          )
          .mutate { $0.rows = $1 }
      case .switchAccount(let account): return .mutate { $0 = WalletState(account: account) }
      }
    } overrides: {
      $0.mode = { _, action in mode(action) }
    }
    let fetch = {
      wallet.execute(.fetch)
      run.mayArrive()
      try run.expect(running.value <= 1, "one fetch at a time")
    }
    for _ in 0..<2 { try fetch() }
    wallet.execute(.switchAccount("b"))
    run.mayArrive()
    let before = begun.value
    for _ in 0..<2 { try fetch() }
    run.allArrive()
    try run.expect(begun.value > before, "a fetch starts after the switch")
    try run.expect(wallet.currentState == WalletState(account: "b", rows: ["b1"]), "\(wallet.currentState)")
  }

  @Test func fetchesOverlapWithoutALane() {
    #expect(throws: TestFailure.self) { try explore(limit: 5_000) { try fetchAndSwitch($0) { _ in .parallel } } }
  }

  @Test(arguments: [false, true]) func oneRunsTheNewestWaitsAndASwitchCancelsBoth(overlapping: Bool) throws {
    try explore(limit: 5_000, overlapping: overlapping) { run in
      try fetchAndSwitch(run) { $0 == .fetch ? .keepLatest("rows") : .switchLatest("rows") }
    }
  }
}
