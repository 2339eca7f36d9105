import RxViewModel

public enum TransactionAction: Sendable, Equatable {
  case fetch
  case switchAccount(String)
}

public struct TransactionState: Sendable, Equatable {
  public var account: String
  public var rows: [String] = []

  public init(account: String) { self.account = account }
}

public struct TransactionService: Sendable {
  let transactions: @Sendable (_ account: String) async throws -> [String]

  public init(transactions: @escaping @Sendable (_ account: String) async throws -> [String]) {
    self.transactions = transactions
  }
}

/// The transactions of one of the user's accounts.
///
/// [zodl-inc/zodl-ios 1951](https://github.com/zodl-inc/zodl-ios/pull/1951): I switched to my other account, and saw the transactions of the
/// first one there.
///
/// Nothing in an answer says which account it is for, and the switch doesn't cancel the request. So a slow answer replaces the list of the
/// next account.
public class Transactions: RxViewModel<TransactionAction, TransactionState>, @unchecked Sendable {
  // Sendable: a `let` only.
  private let service: TransactionService

  public init(_ service: TransactionService, account: String, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: TransactionState(account: account), scheduler: scheduler)
  }

  override public func createObservable(_ action: TransactionAction) -> Effect {
    switch action {
    case .switchAccount(let account):
      return Effect.mutate { $0 = TransactionState(account: account) }.then(.fetch, on: self)
    case .fetch:
      let (service, account) = (service, currentState.account)
      return Observable.task { try await service.transactions(account) }.mutate { $0.rows = $1 }
    }
  }
}

/// The cure: a switch, and a new fetch, cancel the fetch that runs.
public final class CuredTransactions: Transactions, @unchecked Sendable {
  override public func executionMode(for action: TransactionAction) -> ExecutionMode { .switchLatest("account") }
}
