import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

struct TransactionsTests {
  private typealias Make = (TransactionService, any Scheduler) -> Transactions
  private let accounts = ["a": ["a1"], "b": ["b1"]]

  private func service(_ run: Exploration) -> TransactionService {
    TransactionService { [accounts] account in
      try await run.request("fetch \(account)", failing: URLError(.timedOut), changes: false) {
        accounts[account] ?? []
      }
    }
  }

  /// Switches during a fetch. Returns what the user sees in the end.
  private func switchDuringFetch(_ run: Exploration, _ make: Make) -> [String] {
    let screen = make(service(run), run.scheduler)
    screen.execute(.fetch)
    run.mayArrive()
    screen.execute(.switchAccount("b"))
    run.allArrive()
    return screen.currentState.rows
  }

  @Test func theOtherAccountsRowsAppear() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in switchDuringFetch(run) { Transactions($0, account: "a", scheduler: $1) } }
    }
    #expect("\(endings)".contains("The outcome depends on the order of the responses"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        try run.expect(switchDuringFetch(run) { Transactions($0, account: "a", scheduler: $1) }, equals: ["b1"])
      }
    }
    #expect("\(failure)".hasPrefix("fails in 4 of 10 orders, first in"), "\(failure)")
  }

  @Test func aSwitchCancelsTheFetch() throws {
    let report = try explore(failures: 0) { run in
      try run.expect(switchDuringFetch(run) { CuredTransactions($0, account: "a", scheduler: $1) }, equals: ["b1"])
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 3)
  }

  /// The rows are always those of the account, although a cancelled request may return all the same.
  private func play(_ run: Exploration, _ actions: [TransactionAction]) throws {
    let (screen, accounts) = (CuredTransactions(service(run), account: "a", scheduler: run.scheduler), accounts)
    run.always(screen, "rows of another account") { $0.rows.isEmpty || $0.rows == accounts[$0.account] }
    for action in actions {
      screen.execute(action)
      run.mayArrive()
    }
    run.allArrive()
    run.recover()
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
