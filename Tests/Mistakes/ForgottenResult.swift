// The compiler says: expects 2 arguments, but 1 was used in closure body
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func createInitialState() -> TitleState { TitleState() }

  override func createObservable(_ action: TitleAction) -> Effect {
    switch action {
    case .load:
      Observable.task { try await fetch() }.mutate { $0.count = 2 }
    case .save(let title): .mutate { $0.title = title }
    case .form: .handledByChild()
    }
  }
}
