// The compiler says: value of type 'Int' has no member 'mutate'
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func createObservable(_ action: TitleAction) -> Effect {
    let step = 2
      .mutate { $0.count += step }
  }
}
