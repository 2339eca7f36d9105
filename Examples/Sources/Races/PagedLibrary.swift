import RxViewModel

public enum LibraryAction: Sendable, Equatable {
  /// Shows the results of a query from the beginning, also if it is the same query: a refresh.
  case show(String)
  /// The user has reached the end of the list.
  case nextPage
}

public struct LibraryState: Sendable, Equatable {
  public var query = ""
  public var rows: [String] = []
  public var isLoading = false
}

/// A library that loads page by page.
///
/// [ChronoStriker1/LanraragiDesk 9](https://github.com/ChronoStriker1/LanraragiDesk/issues/9): I searched while the next page was loading,
/// and got rows of the old search. [icerockdev/moko-paging 37](https://github.com/icerockdev/moko-paging/issues/37): I pulled to refresh
/// while the next page was loading, and nothing was refreshed.
///
/// A flag lets one page load at a time. A new query clears the list, but the page that is loading stops its own first page, and then fills
/// the empty list.
public class PagedLibrary: RxViewModel<LibraryAction, LibraryState>, @unchecked Sendable {  // Sendable: a `let` only.
  private let find: @Sendable (_ query: String, _ offset: Int) async throws -> [String]

  public init(
    scheduler: (any Scheduler)? = nil,
    page: @escaping @Sendable (_ query: String, _ offset: Int) async throws -> [String]
  ) {
    find = page
    super.init(initialState: LibraryState(), scheduler: scheduler)
  }

  override public func createObservable(_ action: LibraryAction) -> Effect {
    switch action {
    case .show(let query): .mutate { ($0.query, $0.rows) = (query, []) }.then(.nextPage, on: self)
    case .nextPage where currentState.isLoading: .unchanged()
    case .nextPage: .mutate { $0.isLoading = true }.concat(page()).concat(.mutate { $0.isLoading = false })
    }
  }

  override public func stateMapper(for error: any Error, action: LibraryAction) -> StateMapper<LibraryState>? {
    mutate { $0.isLoading = false }
  }

  fileprivate func page() -> Effect {
    let (find, query, offset) = (find, currentState.query, currentState.rows.count)
    return Observable.task { try await find(query, offset) }.mutate { $0.rows += $1 }
  }
}

/// The cure: in one lane, a query cancels the page that loads, and a second page is dropped.
public final class CuredPagedLibrary: PagedLibrary, @unchecked Sendable {
  override public func executionMode(for action: LibraryAction) -> ExecutionMode {
    switch action {
    case .show: .switchLatest("rows")
    case .nextPage: .dropWhileBusy("rows")
    }
  }

  // What is left without the flag.
  override public func createObservable(_ action: LibraryAction) -> Effect {
    action == .nextPage ? page() : super.createObservable(action)
  }
}
