// Code of the articles, word for word, that tests of the library use too. `SnippetTests` compares it with the articles.
import RxViewModel

struct SearchState: Sendable, Equatable {
  var results: [String] = []
}

enum SearchAction: Sendable, Equatable {
  case search(String)
  case clear
}

struct Offline: Error {}

final class SearchViewModel: RxViewModel<SearchAction, SearchState>, @unchecked Sendable {
  private let find: @Sendable (String) async throws -> [String]

  init(scheduler: (any Scheduler)? = nil, find: @escaping @Sendable (String) async throws -> [String]) {
    self.find = find
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> SearchState { SearchState() }

  override func createObservable(_ action: SearchAction) -> Effect {
    switch action {
    case .clear:
      return .mutate { $0.results = [] }
    case .search(let text):
      let find = find
      let results = Observable.task { try await find(text) }
      return results.mutate { $0.results = $1 }
    }
  }

  override func executionMode(for action: SearchAction) -> ExecutionMode {
    if case .search = action { .switchLatest } else { .parallel }
  }

  override func showSpinner(_ action: SearchAction) -> Bool {
    if case .search = action { true } else { false }
  }

  override func handleError(_ error: any Error, action: SearchAction?) -> Bool {
    // True keeps it from the error streams.
    error is Offline
  }
}
