import DirectoryScreens
import RxViewModel

final class SignInScreen: Screen {
  let viewModel: SignInViewModel

  init(_ viewModel: SignInViewModel, _ outbox: Outbox) {
    self.viewModel = viewModel
    super.init(viewModel, outbox, path: nil)
    let view = viewModel.view { state, isBusy in
      SignInView(isEnabled: state.isSignInEnabled && !isBusy, isBusy: isBusy, error: state.error)
    }
    show(view, of: viewModel) { outbox.send(.signIn(view: $0)) }
  }

  override func receive(_ action: PageAction) -> Bool {
    switch action {
    case .setUsername(let text): viewModel.execute(.setUsername(text))
    case .setPassword(let text): viewModel.execute(.setPassword(Password(text)))
    case .signIn: viewModel.execute(.signIn)
    default: return false
    }
    return true
  }
}
