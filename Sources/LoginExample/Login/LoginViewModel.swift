import RxViewModel

/// The logic of the login screen: ``Action``s in, ``State``s out.
///
/// A view executes actions and renders streams. All decisions of the screen are in this class.
///
/// Sendable: all stored properties are `let`s. The library protects the state.
final class LoginViewModel: RxViewModel<LoginViewModel.Action, LoginViewModel.State>, @unchecked Sendable {
  /// An action of the user on the login screen.
  enum Action: Sendable, Equatable {
    /// The username field now holds this text.
    case setUsername(String)
    /// The password field now holds this text.
    case setPassword(String)
    /// The user signs in with the text of the two fields.
    case login
  }

  /// The state of the login screen.
  struct State: Sendable, Equatable {
    var username = ""
    var password = ""
    /// The token that the service returned for the username and the password. Nil after the user has changed either.
    var token: String?
    /// The name of the user who signed in last, even if the user has changed the field since. Empty before the first sign-in.
    var signedInUsername = ""

    /// Whether the `Sign in` button is enabled.
    ///
    /// Counts characters as Swift does: an emoji is one character, and so is a letter with its accent.
    var isLoginEnabled: Bool {
      username.count > 4 && password.count > 2
    }
  }

  private let service: any LoginService

  /// Makes a view model that signs in with `service`. It works on `scheduler`, or on its own queue if that is nil.
  init(service: any LoginService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: State(), scheduler: scheduler)
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .setUsername(let username): .mutate { ($0.username, $0.token) = (username, nil) }
    case .setPassword(let password): .mutate { ($0.password, $0.token) = (password, nil) }
    case .login: login(with: currentState)
    }
  }

  /// Shows the spinner during a sign-in.
  override func showSpinner(_ action: Action) -> Bool {
    action == .login && currentState.isLoginEnabled
  }

  /// Drops a second tap on the button while the first sign-in runs.
  override func executionMode(for action: Action) -> ExecutionMode {
    action == .login ? .dropWhileBusy : .parallel
  }

  /// Signs in with the current text of the fields, if the button is enabled. Text that the user types during the
  /// sign-in stays in the fields and gets no token.
  private func login(with credentials: State) -> Effect {
    guard credentials.isLoginEnabled else { return .declined() }
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

nonisolated extension LoginViewModel {
  /// Emits whether the `Sign in` button is enabled, each time that this changes.
  ///
  /// Replays the current value; completes with the view model.
  var isFormValidObservable: Observable<Bool> {
    stateObservable.map(\.isLoginEnabled).distinctUntilChanged()
  }

  /// The state after each successful sign-in.
  ///
  /// Replays nothing; completes with the view model.
  var loginActionObservable: Observable<State> {
    actionAndStateObservable.filter { $0.action == .login }.map(\.state)
  }

  /// The outcome of each sign-in, successful or not.
  ///
  /// Replays nothing; completes with the view model.
  var loginOutcomeObservable: Observable<LoginOutcome> {
    .merge([loginActionObservable.map { LoginOutcome($0) }, errorObservable.map { LoginOutcome($0) }])
  }
}
