import RxViewModel
import RxViewModelTesting
import Testing

@testable import LoginExample

// MARK: The feature of the README, word for word

struct Login: Feature {
  typealias State = LoginState
  let service: any LoginService

  func createObservable(_ action: LoginAction, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .setUsername(let username): .mutate { ($0.username, $0.token) = (username, nil) }
    case .setPassword(let password): .mutate { ($0.password, $0.token) = (password, nil) }
    case .login: login(with: context.state)
    }
  }

  func showSpinner(_ action: LoginAction) -> Bool { action == .login }

  func executionMode(for action: LoginAction) -> ExecutionMode {
    action == .login ? .dropWhileBusy : .parallel
  }

  private func login(with credentials: LoginState) -> Effect {
    guard credentials.isLoginEnabled else { return .cancelled() }
    let (username, password) = (credentials.username, credentials.password)
    return Observable.task { try await service.login(username: username, password: password) }
      .mutate { state, token in
        state.signedInUsername = username
        if (state.username, state.password) == (username, password) { state.token = token }
      }
  }
}

// MARK: Its tests

private struct EchoingService: LoginService {
  func login(username: String, password: String) async throws -> String { "token of \(username)" }
}

@Suite struct LoginFeatureTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theFeatureSignsInAsTheSubclassDoes() throws {
    let states = try [
      { FeatureViewModel(Login(service: EchoingService()), initialState: LoginState(), scheduler: $0) },
      { LoginViewModel(service: EchoingService(), scheduler: $0) },
    ].map { (makeViewModel: (TestScheduler) -> RxViewModel<LoginAction, LoginState>) in
      let scheduler = TestScheduler()
      let viewModel = makeViewModel(scheduler)
      viewModel.execute(.setUsername("admin"))
      viewModel.execute(.setPassword("admin"))
      return try scheduler.perform(.login, on: viewModel)
    }
    #expect(states.map(\.token) == ["token of admin", "token of admin"])
    #expect(states[0] == states[1])
  }
}
