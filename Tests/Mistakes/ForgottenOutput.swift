// The compiler says: is unavailable: at: takes a writable key path to the feature's state, or to an optional of it; outputs need output:
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func createInitialState() -> TitleState { TitleState() }

  override func child(for action: TitleAction) -> ChildAction<TitleAction, TitleState>? {
    switch action {
    case .form(let action): ChildAction(TitleForm(), action, at: \.form, as: TitleAction.form)
    default: nil
    }
  }
}
