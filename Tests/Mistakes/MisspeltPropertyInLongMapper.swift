// The compiler says: cannot assign value of type '()' to type 'Int'
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func createInitialState() -> TitleState { TitleState() }

  override func createObservable(_ action: TitleAction) -> Effect {
    switch action {
    case .load:
      Observable.task { try await fetch() }.mutate { state, count in
        state.count = count
        state.titel = ""
      }
    case .save(let title): .mutate { $0.title = title }
    case .form: .handledByChild()
    }
  }
}
