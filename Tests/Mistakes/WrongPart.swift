// The compiler says: is unavailable: at: takes a writable key path to the state of the feature, or to an optional of it
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func child(for action: TitleAction) -> ChildAction<TitleAction, TitleState>? {
    switch action {
    case .form(let form): .init(TitleForm(), form, at: \.title, as: TitleAction.form, output: { _ in .load })
    default: nil
    }
  }
}
