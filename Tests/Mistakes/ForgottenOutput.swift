// The compiler says: initializer 'init(_:_:at:as:)' requires the types 'TitleForm.Output' and 'Never' be equivalent
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
