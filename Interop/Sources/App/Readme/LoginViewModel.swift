import RxViewModel

nonisolated protocol LoginService: Sendable {
  func login(username: String, password: String) async throws -> String
}

final class LoginViewModel: RxViewModel<LoginViewModel.Action, LoginViewModel.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case setUsername(String)
    case setPassword(String)
    case login
  }

  struct State: Sendable, Equatable {
    var username = ""
    var password = ""
    var token: String?
    var signedInUsername = ""

    var isLoginEnabled: Bool {
      username.count > 4 && password.count > 2
    }
  }

  private let service: any LoginService

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

  override func showSpinner(_ action: Action) -> Bool {
    action == .login && currentState.isLoginEnabled
  }

  override func executionMode(for action: Action) -> ExecutionMode {
    action == .login ? .dropWhileBusy : .parallel
  }

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
