// The README's screen as a struct: the class, with the difference that the README shows. `ReadmeTests` compares them.
import RxViewModel

struct Login: Feature {
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

  let service: any LoginService

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .setUsername(let username): .mutate { ($0.username, $0.token) = (username, nil) }
    case .setPassword(let password): .mutate { ($0.password, $0.token) = (password, nil) }
    case .login: login(with: context.state)
    }
  }

  func showSpinner(_ action: Action, context: FeatureContext<Self>) -> Bool {
    action == .login && context.state.isLoginEnabled
  }

  func executionMode(for action: Action) -> ExecutionMode {
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
