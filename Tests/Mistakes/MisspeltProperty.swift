// The compiler says: value of type 'TitleState' has no member 'titel'
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func createInitialState() -> TitleState { TitleState() }

  override func createObservable(_ action: TitleAction) -> Effect {
    switch action {
    case .load:
      .mutate { $0.titel = "" }.concat(Observable.task { try await fetch() }.mutate { $0.count = $1 })
    case .save(let title): .mutate { $0.title = title }
    case .form: .handledByChild()
    }
  }
}
