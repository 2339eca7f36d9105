// The compiler says: capture of 'service' with non-Sendable type 'OldService' in a '@Sendable' closure
import RxViewModel

final class OldService {
  func count() async throws -> Int { 1 }
}

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  private let service = OldService()

  override func createInitialState() -> TitleState { TitleState() }

  override func createObservable(_ action: TitleAction) -> Effect {
    Observable.task { [service] in try await service.count() }.mutate { $0.count = $1 }
  }
}
