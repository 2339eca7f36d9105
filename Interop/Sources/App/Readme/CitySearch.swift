import RxViewModel

class CitySearch: RxViewModel<CitySearch.Action, CitySearch.State>, @unchecked Sendable {
  enum Action: Sendable {
    case search(String)
  }

  struct State: Sendable, Equatable {
    var text = ""
    var results: [String] = []
  }

  let find: @Sendable (String) async throws -> [String]

  init(scheduler: (any Scheduler)? = nil, find: @escaping @Sendable (String) async throws -> [String]) {
    self.find = find
    super.init(initialState: State(), scheduler: scheduler)
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .search(let text):
      let results = Observable.task { [find] in try await find(text) }
      return .mutate { $0.text = text }.concat(results.mutate { $0.results = $1 })
    }
  }
  override func executionMode(for action: Action) -> ExecutionMode { .switchLatest }
}
