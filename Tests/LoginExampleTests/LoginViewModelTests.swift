import RxViewModel
import RxViewModelTesting
import Testing

@testable import LoginExample

/// The view model in virtual time. The service sleeps on the scheduler's clock, so that a test knows the state at each millisecond.
struct LoginViewModelTests {
  private let scheduler = TestScheduler()
  private let viewModel: LoginViewModel

  init() {
    viewModel = LoginViewModel(service: TimedLoginService(clock: scheduler.clock), scheduler: scheduler)
  }

  private func enter(_ username: String, _ password: String) {
    viewModel.execute(.setUsername(username))
    viewModel.execute(.setPassword(password))
    scheduler.advance()
  }

  // contract 2.3, 2.7: a second tap is dropped while the first sign-in runs. A change of either field signs out.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func signsInAndOut() throws {
    let loading = viewModel.isLoadingObservable.test(scheduler)
    try withTestStore(viewModel) { store in
      try store.send(.setUsername("admin")) { $0.username = "admin" }
      try store.send(.setPassword("secret")) { $0.password = "secret" }
      for change in [LoginViewModel.Action.setUsername("other"), .setPassword("12 345")] {
        try store.send(.login)
        try store.send(.login)
        try store.expect(.dropped, of: .login)
        let username = store.state.username
        try store.advance(by: .milliseconds(800)) {
          $0.token = "token of \(username)"
          $0.signedInUsername = username
        }
        try store.send(change) {
          $0.token = nil
          if case .setUsername(let username) = change { $0.username = username }
          if case .setPassword(let password) = change { $0.password = password }
        }
      }
    }
    #expect(loading.values == [false, true, false, true, false])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func textTypedDuringASignInStaysAndGetsNoToken() throws {
    enter("admin", "secret")
    try withTestStore(viewModel) { store in
      try store.send(.login)
      try store.advance(by: .milliseconds(400))
      try store.send(.setUsername("other")) { $0.username = "other" }
      try store.advance(by: .milliseconds(400)) { $0.signedInUsername = "admin" }
    }
  }

  // contract 2.6: a failure leaves the state as it is, and the next sign-in works.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func eachAttemptHasAnOutcome() throws {
    let outcomes = viewModel.loginOutcomeObservable.test(scheduler)
    for password in ["wrong", "error", "other", "secret"] {
      enter("admin", password)
      viewModel.execute(.login)
      scheduler.run()
    }
    #expect(
      outcomes.values == [.wrongUsernameOrPassword, .unexpectedError, .unexpectedError, .signedIn(username: "admin")])
    #expect(outcomes.events.map(\.time) == [800, 1_600, 2_400, 3_200].map { .milliseconds($0) })
    #expect(viewModel.currentState.token == "token of admin")
  }

  @Test func theButtonIsEnabledForFiveAndThreeCharacters() {
    // A letter with its accent and a family of four are one character each.
    let (letters, families) = (String(repeating: "e\u{301}", count: 5), String(repeating: "👨‍👩‍👧‍👦", count: 3))
    for (username, password, isEnabled) in [
      ("admi", "secret", false), ("admin", "se", false), ("admin", "sec", true), ("administrator", "secret", true),
      (String(letters.dropLast()), families, false), (letters, String(families.dropLast()), false),
      (letters, families, true),
    ] {
      #expect(LoginViewModel.State(username: username, password: password).isLoginEnabled == isEnabled)
    }
  }

  // contract 2.10: a view need not check the button, because the action ends as cancelled.
  @Test(arguments: [("", ""), ("admin", "ad"), ("admi", "secret")])
  func aSignInDoesNothingWhileTheButtonIsDisabled(username: String, password: String) throws {
    enter(username, password)
    let loading = viewModel.isLoadingObservable.test(scheduler)
    #expect(throws: CancellationError.self) { try scheduler.perform(.login, on: viewModel) }
    #expect(loading.values == [false])
    #expect(viewModel.currentState == LoginViewModel.State(username: username, password: password))
  }

  // contract 2.9: the effect of a sign-in does not retain the view model, whose release cancels it.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theReleaseCancelsTheSignIn() {
    weak var released: LoginViewModel?
    do {
      let viewModel = LoginViewModel(service: TimedLoginService(clock: scheduler.clock), scheduler: scheduler)
      released = viewModel
      for action in [.setUsername("admin"), .setPassword("secret"), .login] as [LoginViewModel.Action] {
        viewModel.execute(action)
      }
      scheduler.advance(by: .milliseconds(100))
      #expect(scheduler.pendingCount == 1)
    }
    #expect(released == nil)
    scheduler.run()
    #expect(scheduler.now == .milliseconds(100))
  }
}

/// A service that takes 800 ms on a test's clock. It fails with the passwords `wrong`, `error` and `other`.
private struct TimedLoginService: LoginService {
  private struct OtherError: Error {}

  let clock: any Clock<Duration>

  func login(username: String, password: String) async throws -> String {
    try await clock.sleep(for: .milliseconds(800))
    switch password {
    case "wrong": throw LoginError.wrongUsernameOrPassword
    case "error": throw LoginError.unexpected
    case "other": throw OtherError()
    default: return "token of \(username)"
    }
  }
}
