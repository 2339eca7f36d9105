import Races
import RxViewModel
import RxViewModelTesting
import Testing

extension RaceServer<[String: [String]]> {
  fileprivate var service: TransactionService {
    TransactionService { account in try await self.read("fetch \(account)") { $0[account] ?? [] } }
  }
}

struct TransactionsTests {
  private typealias Make = (TransactionService, any Scheduler) -> Transactions
  private let accounts = ["a": ["a1"], "b": ["b1"]]

  /// Switches during a fetch. Returns what the user sees in the end.
  private func switchDuringFetch(_ run: Exploration, _ make: Make) -> TransactionState {
    let screen = make(RaceServer(run, accounts).service, run.scheduler)
    screen.execute(.fetch)
    run.mayArrive()
    screen.execute(.switchAccount("b"))
    run.allArrive()
    return screen.currentState
  }

  @Test func theOtherAccountsRowsAppear() throws {
    let failure = try #require(throws: TestFailure.self) {
      try explore { run in switchDuringFetch(run) { Transactions($0, account: "a", scheduler: $1) } }
    }
    #expect("\(failure)".hasPrefix("fails in 4 of 10 orders, first in"), "\(failure)")
  }

  @Test func aSwitchCancelsTheFetch() throws {
    let report = try explore { run in
      switchDuringFetch(run) { CuredTransactions($0, account: "a", scheduler: $1) }
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 3)
  }

  /// The rows are always those of the account, although a cancelled request may return all the same.
  private func play(_ run: Exploration, _ actions: [TransactionAction]) throws {
    let server = RaceServer(run, accounts, fails: true)
    let screen = CuredTransactions(server.service, account: "a", scheduler: run.scheduler)
    screen.expectErrors()
    let accounts = accounts
    run.always(screen, "rows of another account") { $0.rows.isEmpty || $0.rows == accounts[$0.account] }
    for action in actions {
      screen.execute(action)
      run.mayArrive()
    }
    run.allArrive()
    server.recover()
    screen.execute(.fetch)
    run.allArrive()
    try run.expect(screen.currentState.rows, equals: accounts[screen.currentState.account])
  }

  @Test func theRowsAreThoseOfTheAccountAfterFailures() throws {
    let report = try explore { try play($0, [.fetch, .switchAccount("b"), .fetch]) }
    #expect(report.isExhaustive)
    #expect(report.runs == 315)
  }

  @Test func anyActionsAtAnyTime() throws {
    try explore(limit: 2_000, failures: 2, overlapping: true) { run in
      try play(run, (0..<run.choose(0...6)).map { _ in run.choose(.fetch, .switchAccount("b"), .switchAccount("a")) })
    }
  }
}
