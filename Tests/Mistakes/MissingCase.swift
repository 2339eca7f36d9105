// The compiler says: switch must be exhaustive
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func createInitialState() -> TitleState { TitleState() }

  override func createObservable(_ action: TitleAction) -> Effect {
    switch action {
    case .load:
      .unchanged()
    case .save(let title): .mutate { $0.title = title }
    }
  }
}
