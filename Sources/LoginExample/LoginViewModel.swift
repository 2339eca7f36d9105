import RxViewModel

/// The login screen without its looks: ``LoginAction``s in, ``LoginState``s out.
///
/// A view executes actions and renders streams. Whatever the screen decides, it decides here.
///
/// It is `Sendable` because all that it stores is a `let`; the library takes care of the state.
final class LoginViewModel: RxViewModel<LoginAction, LoginState>, @unchecked Sendable {
  private let service: any LoginService

  /// A screen that signs in with `service`, and that works on `scheduler`, or on a queue of its own.
  init(service: any LoginService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> LoginState {
    LoginState()
  }

  override func createObservable(_ action: LoginAction) -> Observable<StateMapper<LoginState>> {
    switch action {
    case .setUsername(let username):
      return .mutate { state in
        state.username = username
        state.token = nil
      }
    case .setPassword(let password):
      return .mutate { state in
        state.password = password
        state.token = nil
      }
    case .login:
      return login(with: currentState)
    }
  }

  /// The spinner turns while signing in.
  override func showSpinner(_ action: LoginAction) -> Bool {
    action == .login
  }

  /// Who presses the button again while signing in does not sign in twice.
  override func executionMode(for action: LoginAction) -> ExecutionMode {
    action == .login ? .dropWhileBusy : super.executionMode(for: action)
  }

  /// Signs in with what the fields hold now; what is typed meanwhile stays, and gets no token.
  private func login(with credentials: LoginState) -> Observable<StateMapper<LoginState>> {
    Observable
      .task { [service] in
        try await service.login(username: credentials.username, password: credentials.password)
      }
      .mutate { state, token in
        state.signedInUsername = credentials.username
        let isTyped = (state.username, state.password) == (credentials.username, credentials.password)
        state.token = isTyped ? token : nil
      }
  }
}

// MARK: Streams for the view, beside those of every view model

extension LoginViewModel {
  /// Whether the `Sign in` button can be pressed, each time that changes.
  ///
  /// Replays the current value; ends with the view model.
  var isFormValidObservable: Observable<Bool> {
    stateObservable.map(\.isLoginEnabled).distinctUntilChanged()
  }

  /// The state that each successful sign-in led to.
  ///
  /// Replays nothing; ends with the view model.
  var loginActionObservable: Observable<LoginState> {
    actionAndStateObservable.filter { $0.action == .login }.map(\.state)
  }

  /// What each sign-in came to, be it well or not.
  ///
  /// Replays nothing; ends with the view model.
  var loginOutcomeObservable: Observable<LoginOutcome> {
    .merge([loginActionObservable.map { LoginOutcome($0) }, errorObservable.map { LoginOutcome($0) }])
  }
}
