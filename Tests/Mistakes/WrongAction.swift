// The compiler says: type 'TitleAction' has no member 'reload'
import RxViewModel

func reload(_ viewModel: RxViewModel<TitleAction, TitleState>) {
  viewModel.execute(.reload)
}
