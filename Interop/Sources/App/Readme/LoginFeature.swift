import RxViewModel

struct Login: Feature {
  typealias Action = LoginViewModel.Action
  typealias State = LoginViewModel.State
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
    let (username, password) = (credentials.username, credentials.password)
    return Observable.task { try await service.login(username: username, password: password) }
      .mutate { state, token in
        state.signedInUsername = username
        if (state.username, state.password) == (username, password) { state.token = token }
      }
  }
}
