import RxViewModel

enum CityAction: Sendable {
  case search(String)
}

struct CityState: Sendable, Equatable {
  var text = ""
  var results: [String] = []
}

class CitySearch: RxViewModel<CityAction, CityState>, @unchecked Sendable {
  let find: @Sendable (String) async throws -> [String]

  init(scheduler: (any Scheduler)? = nil, find: @escaping @Sendable (String) async throws -> [String]) {
    self.find = find
    super.init(initialState: CityState(), scheduler: scheduler)
  }

  override func createObservable(_ action: CityAction) -> Effect {
    switch action {
    case .search(let text):
      let results = Observable.task { [find] in try await find(text) }
      return .mutate { $0.text = text }.concat(results.mutate { $0.results = $1 })
    }
  }
  override func executionMode(for action: CityAction) -> ExecutionMode { .switchLatest }
}
