// The compiler says: cannot infer type of closure parameter 'state' without a type annotation
import RxViewModel

final class TitleViewModel: RxViewModel<TitleAction, TitleState>, @unchecked Sendable {
  override func createInitialState() -> TitleState { TitleState() }

  override func createObservable(_ action: TitleAction) -> Effect {
    let ticks = Observable.interval(.seconds(1), scheduler: scheduler).mutate { state, _ in state.count += 1 }
    return Observable.mutate { $0.title = "" }.concat(ticks)
  }
}
