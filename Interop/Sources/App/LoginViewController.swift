// A whole screen in UIKit, to which the README links. It binds each of the view model's five streams.
import RxViewModel
import UIKit

final class LoginViewController: UIViewController {
  private let viewModel: LoginViewModel
  private let username = UITextField()
  private let password = UITextField()
  private let signIn = UIButton(type: .system)
  private let spinner = UIActivityIndicatorView()
  private let message = UILabel()
  private let bag = DisposeBag()

  init(_ viewModel: LoginViewModel) {
    self.viewModel = viewModel
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    layOut()
    viewModel.property(\.username, set: LoginViewModel.Action.setUsername)
      .bind(edits: username.edits) { [weak username] in username?.text = $0 }.disposed(by: bag)
    viewModel.property(\.password, set: LoginViewModel.Action.setPassword)
      .bind(edits: password.edits) { [weak password] in password?.text = $0 }.disposed(by: bag)
    signIn.taps.map { .login }.execute(on: viewModel).disposed(by: bag)

    viewModel.stateObservable.map(\.isLoginEnabled).bind(to: signIn, \.isEnabled).disposed(by: bag)
    viewModel.isLoadingObservable
      .bind { [spinner] isLoading in isLoading ? spinner.startAnimating() : spinner.stopAnimating() }.disposed(by: bag)
    viewModel.actionAndErrorObservable.filter { $0.action == .login }
      .bind { [weak password] _ in password?.becomeFirstResponder() }.disposed(by: bag)
    // An edit, or the next attempt, clears the message.
    let results = viewModel.actionAndStateObservable
      .map { $0.action == .login ? "Signed in as \($0.state.signedInUsername)" : "" }
    let attempts = viewModel.isLoadingObservable.filter { $0 }.map { _ in "" }
    let failures = viewModel.errorObservable.map { "Sign-in failed: \($0.localizedDescription)" }
    Observable.merge([results, attempts, failures]).bind(to: message, \.text).disposed(by: bag)
  }

  private func layOut() {
    (username.placeholder, password.placeholder) = ("Username", "Password")
    password.isSecureTextEntry = true
    signIn.setTitle("Sign In", for: .normal)
    let stack = UIStackView(arrangedSubviews: [username, password, signIn, spinner, message])
    stack.axis = .vertical
    stack.frame = view.bounds.insetBy(dx: 24, dy: 200)
    stack.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    view.backgroundColor = .systemBackground
    view.addSubview(stack)
  }
}
