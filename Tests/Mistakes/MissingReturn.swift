// The compiler says: reference to member 'mutate' cannot be resolved without a contextual type
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func createObservable(_ action: TitleAction) -> Effect {
    switch action {
    case .load: .mutate { $0.count += 1 }
    case .save(let title):
      print(title)
      return .mutate { $0.title = title }
    case .form: .handledByChild()
    }
  }
}
