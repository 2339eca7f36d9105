import RxViewModel

public enum WalletAction: Sendable, Equatable {
  /// The wallet executes this for each hint that there are new transactions.
  case fetch
  case select(account: String)
}

public struct WalletState: Sendable, Equatable {
  public var account: String
  public var transactions: [String] = []
  public var isFetching = false
}

/// The transactions of the selected account.
///
/// [zodl-inc/zodl-ios 2062](https://github.com/zodl-inc/zodl-ios/pull/2062): I switched to another account while the list was loading, and
/// from then on no list loaded at all.
///
/// A flag lets one fetch run at a time. Selecting an account cancels the fetch, which then no longer resets the flag. A fetch that the flag
/// stops is missing, too: its transaction is never asked for.
public class WalletRefresh: RxViewModel<WalletAction, WalletState>, @unchecked Sendable {  // Sendable: a `let` only.
  private let find: @Sendable (_ account: String) async throws -> [String]

  public init(
    _ account: String, scheduler: (any Scheduler)? = nil,
    transactions: @escaping @Sendable (_ account: String) async throws -> [String]
  ) {
    find = transactions
    super.init(initialState: WalletState(account: account), scheduler: scheduler)
  }

  override public func createObservable(_ action: WalletAction) -> Effect {
    switch action {
    case .fetch where currentState.isFetching: return .unchanged()
    case .fetch: return .mutate { $0.isFetching = true }.concat(fetch()).concat(.mutate { $0.isFetching = false })
    case .select(let account):
      cancelActions { $0 == .fetch }
      return select(account)
    }
  }

  override public func stateMapper(for error: any Error, action: WalletAction) -> StateMapper<WalletState>? {
    mutate { $0.isFetching = false }
  }

  fileprivate func fetch() -> Effect {
    let (find, account) = (find, currentState.account)
    return Observable.task { try await find(account) }.mutate { $0.transactions = $1 }
  }

  fileprivate func select(_ account: String) -> Effect {
    .mutate { ($0.account, $0.transactions) = (account, []) }.then(.fetch, on: self)
  }
}

/// The cure: one fetch runs, the newest waits, and selecting an account cancels both. There is no flag that could stay set.
public final class CuredWalletRefresh: WalletRefresh, @unchecked Sendable {
  override public func executionMode(for action: WalletAction) -> ExecutionMode {
    switch action {
    case .fetch: .keepLatest("transactions")
    case .select: .switchLatest("transactions")
    }
  }

  // What is left without the flag.
  override public func createObservable(_ action: WalletAction) -> Effect {
    if case .select(let account) = action { select(account) } else { fetch() }
  }
}
