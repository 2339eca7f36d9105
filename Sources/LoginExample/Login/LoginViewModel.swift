import RxViewModel

/// The logic of the login screen: ``LoginAction``s in, ``LoginState``s out.
///
/// A view executes actions and renders streams. All decisions of the screen are in this class.
///
/// Sendable: all stored properties are `let`s. The library protects the state.
final class LoginViewModel: RxViewModel<LoginAction, LoginState>, @unchecked Sendable {
  private let service: any LoginService

  /// Makes a view model that signs in with `service`. It works on `scheduler`, or on its own queue if that is nil.
  init(service: any LoginService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: LoginState(), scheduler: scheduler)
  }

  override func createObservable(_ action: LoginAction) -> Effect {
    switch action {
    case .setUsername(let username): .mutate { ($0.username, $0.token) = (username, nil) }
    case .setPassword(let password): .mutate { ($0.password, $0.token) = (password, nil) }
    case .login: login(with: currentState)
    }
  }

  /// Shows the spinner during a sign-in.
  override func showSpinner(_ action: LoginAction) -> Bool {
    action == .login && currentState.isLoginEnabled
  }

  /// Drops a second tap on the button while the first sign-in runs.
  override func executionMode(for action: LoginAction) -> ExecutionMode {
    action == .login ? .dropWhileBusy : .parallel
  }

  /// Signs in with the current text of the fields, if the button is enabled. Text that the user types during the
  /// sign-in stays in the fields and gets no token.
  private func login(with credentials: LoginState) -> Effect {
    guard credentials.isLoginEnabled else { return .cancelled() }
    let (service, username, password) = (service, credentials.username, credentials.password)
    return Observable.task { try await service.login(username: username, password: password) }
      .mutate { state, token in
        state.signedInUsername = username
        // The token belongs to the credentials that were sent, not to text that the user has typed since.
        if (state.username, state.password) == (username, password) { state.token = token }
      }
  }
}

// MARK: Streams for the view, in addition to those of every view model

extension LoginViewModel {
  /// Emits whether the `Sign in` button is enabled, each time that this changes.
  ///
  /// Replays the current value; completes with the view model.
  var isFormValidObservable: Observable<Bool> {
    stateObservable.map(\.isLoginEnabled).distinctUntilChanged()
  }

  /// The state after each successful sign-in.
  ///
  /// Replays nothing; completes with the view model.
  var loginActionObservable: Observable<LoginState> {
    actionAndStateObservable.filter { $0.action == .login }.map(\.state)
  }

  /// The outcome of each sign-in, successful or not.
  ///
  /// Replays nothing; completes with the view model.
  var loginOutcomeObservable: Observable<LoginOutcome> {
    .merge([loginActionObservable.map { LoginOutcome($0) }, errorObservable.map { LoginOutcome($0) }])
  }
}
