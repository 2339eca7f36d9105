// The compiler says: cannot assign value of type 'Int' to type 'String'
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func createInitialState() -> TitleState { TitleState() }

  override func createObservable(_ action: TitleAction) -> Effect {
    switch action {
    case .load:
      Observable.task { try await fetch() }.mutate { $0.title = $1 }
    case .save(let title): .mutate { $0.title = title }
    case .form: .handledByChild()
    }
  }
}
