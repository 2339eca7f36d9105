import RxViewModel

/// The mistake that compiles: without `nonisolated`, the methods of the service run on the main actor.
protocol CityService: Sendable {
  func find(_ text: String) async throws -> [String]
}

// Sendable: it stores only a `let`.
final class Cities: RxViewModel<Cities.Action, Cities.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable { case search(String) }

  struct State: Sendable, Equatable { var results: [String] = [] }

  private let service: any CityService

  init(service: any CityService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: State(), scheduler: scheduler)
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .search(let text): Observable.task { [service] in try await service.find(text) }.mutate { $0.results = $1 }
    }
  }
}
