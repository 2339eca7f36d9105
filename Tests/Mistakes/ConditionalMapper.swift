// The compiler says: converting non-Sendable function value to '@Sendable (TitleState) throws -> TitleState' may introduce data races
import RxViewModel

struct Ended: Error {}

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func createObservable(_ action: TitleAction) -> Effect { .unchanged() }

  override func stateMapper(for error: any Error, action: TitleAction) -> StateMapper<TitleState>? {
    error is Ended ? { _ in TitleState() } : nil
  }
}
