// The compiler says: cannot convert value of type 'Int' to closure result type 'StateMapper<TitleState>'
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func createInitialState() -> TitleState { TitleState() }

  override func createObservable(_ action: TitleAction) -> Effect {
    switch action {
    case .load:
      Observable.task { try await fetch() }
    case .save(let title): .mutate { $0.title = title }
    case .form: .handledByChild()
    }
  }
}
