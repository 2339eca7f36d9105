// The compiler says: mutation of captured var 'seen' in concurrently-executing code
import RxViewModel

func watch(_ viewModel: RxViewModel<TitleAction, TitleState>) {
  var seen = 0
  _ = viewModel.stateObservable.subscribe { _ in seen += 1 }
}
