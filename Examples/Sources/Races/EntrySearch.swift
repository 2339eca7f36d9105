import RxViewModel

public enum EntrySearchAction: Sendable, Equatable {
  case type(String)
}

public struct EntrySearchState: Sendable, Equatable {
  public var text = ""
  public var results: [String] = []
}

/// The search of a password manager.
///
/// [keepassium/KeePassium 501](https://github.com/keepassium/KeePassium/issues/501): I typed quickly, and the list showed entries that
/// don't match the text.
///
/// Each key searches. A short text has many results, so its search may take longer than the next one, and finish last.
public class EntrySearch: RxViewModel<EntrySearchAction, EntrySearchState>, @unchecked Sendable {
  // Sendable: a `let` only.
  private let find: @Sendable (String) async throws -> [String]

  public init(scheduler: (any Scheduler)? = nil, find: @escaping @Sendable (String) async throws -> [String]) {
    self.find = find
    super.init(initialState: EntrySearchState(), scheduler: scheduler)
  }

  override public func createObservable(_ action: EntrySearchAction) -> Effect {
    switch action {
    case .type(let text):
      let find = find
      return .mutate { $0 = EntrySearchState(text: text) }
        .concat(Observable.task { try await find(text) }.mutate { $0.results = $1 })
    }
  }
}

/// The cure: a new search cancels the one before it.
public final class CuredEntrySearch: EntrySearch, @unchecked Sendable {
  override public func executionMode(for action: EntrySearchAction) -> ExecutionMode { .switchLatest }
}
