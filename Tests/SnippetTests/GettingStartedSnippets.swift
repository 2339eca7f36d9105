// The code of the article that gets you started, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

/// A namespace, because the snippets of other articles have types with these names.
enum GettingStarted {

  final class LoginViewModel: RxViewModel<LoginViewModel.Action, LoginViewModel.State>, @unchecked Sendable {
    enum Action: Sendable, Equatable {
      case setUsername(String)
      case setPassword(String)
      case signIn
    }

    struct State: Sendable, Equatable {
      var username = ""
      var password = ""
      /// The name that the server returns.
      var signedInAs: String?

      var canSignIn: Bool { !username.isEmpty && !password.isEmpty }
    }

    typealias SignIn = @Sendable (_ username: String, _ password: String) async throws -> String

    private let signIn: SignIn

    init(scheduler: (any Scheduler)? = nil, signIn: @escaping SignIn) {
      self.signIn = signIn
      super.init(initialState: State(), scheduler: scheduler)
    }

    override func createObservable(_ action: Action) -> Effect {
      switch action {
      case .setUsername(let username):
        return .mutate { $0.username = username }
      case .setPassword(let password):
        return .mutate { $0.password = password }
      case .signIn:
        let (signIn, form) = (signIn, currentState)
        return Observable.task { try await signIn(form.username, form.password) }
          .mutate { $0.signedInAs = $1 }
      }
    }

    override func executionMode(for action: Action) -> ExecutionMode {
      action == .signIn ? .dropWhileBusy : .parallel
    }

    override func showSpinner(_ action: Action) -> Bool { action == .signIn }
  }

  struct WrongPassword: Error, Equatable {}

  struct LoginTests {
    let scheduler = TestScheduler()

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func aSecondTapDoesNotSignInTwice() throws {
      let clock = scheduler.clock
      let viewModel = LoginViewModel(scheduler: scheduler) { username, _ in
        try await clock.sleep(for: .seconds(1))
        return username.uppercased()
      }
      try withTestStore(viewModel) { store in
        try store.send(.setUsername("ada")) { $0.username = "ada" }
        try store.send(.setPassword("secret")) { $0.password = "secret" }
        #expect(store.state.canSignIn)
        try store.send(.signIn)
        try store.send(.signIn)
        try store.expect(.dropped, of: .signIn)
        try store.advance(by: .seconds(1)) { $0.signedInAs = "ADA" }
      }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func aWrongPasswordIsAFailure() throws {
      let viewModel = LoginViewModel(scheduler: scheduler) { _, _ in throw WrongPassword() }
      try withTestStore(viewModel) { store in
        try store.send(.signIn)
        try store.expect(.failed(WrongPassword()), of: .signIn)
      }
    }
  }
}
