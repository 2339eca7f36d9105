import RxViewModel
import UIKit

@MainActor
func bind(
  _ viewModel: LoginViewModel, _ name: UITextField, _ button: UIButton, _ progress: UIView, _ message: UILabel,
  in bag: DisposeBag
) {
  viewModel.property(\.username, set: LoginAction.setUsername)
    .bind(edits: name.edits) { [weak name] in name?.text = $0 }.disposed(by: bag)
  button.taps.map { LoginAction.login }.execute(on: viewModel).disposed(by: bag)
  viewModel.stateObservable.map(\.isLoginEnabled).bind(to: button, \.isEnabled).disposed(by: bag)
  viewModel.isLoadingObservable.map { !$0 }.bind(to: progress, \.isHidden).disposed(by: bag)
  viewModel.errorObservable.map { "Sign-in failed: \($0)" }.bind(to: message, \.text).disposed(by: bag)
}
