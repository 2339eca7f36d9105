// The compiler says: is unavailable: at: takes a writable key path to the feature's state, or to an optional of it; outputs need output:
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func child(for action: TitleAction) -> ChildAction<TitleAction, TitleState>? {
    switch action {
    case .form(let form): .init(TitleForm(), form, at: \.title, as: TitleAction.form, output: { _ in .load })
    default: nil
    }
  }
}
