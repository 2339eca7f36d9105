import RxViewModel
import RxViewModelTesting
import Testing

@testable import LoginExample

/// The view model in virtual time. The service sleeps on the scheduler's clock, so that each test can check the state at a given
/// millisecond.
@Suite struct LoginViewModelTests {
  private let scheduler = TestScheduler()
  private let viewModel: LoginViewModel

  init() {
    viewModel = LoginViewModel(service: TimedLoginService(clock: scheduler.clock), scheduler: scheduler)
  }

  private func enter(_ username: String, _ password: String) {
    viewModel.execute(.setUsername(username))
    viewModel.execute(.setPassword(password))
  }

  // contract 2.3
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func eachActionChangesItsPartOfTheState() throws {
    try withTestStore(viewModel) { store in
      try store.send(.setUsername("admin")) { $0.username = "admin" }
      try store.send(.setPassword("secret")) { $0.password = "secret" }
      try store.send(.login)
      try store.advance(by: .milliseconds(800)) {
        $0.token = "token of admin"
        $0.signedInUsername = "admin"
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theServiceGetsTheTextOfTheFields() throws {
    try withTestStore(viewModel, exhaustivity: .off) { store in
      enter("other", "12 345")
      try store.send(.login)
      try store.advance(by: .milliseconds(800)) { $0.token = "token of other" }
      enter("other", "wrong")
      try store.send(.login)
      try store.advance(by: .milliseconds(800))
      try store.expect(.failed(LoginError.wrongUsernameOrPassword), of: .login)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: [LoginAction.setUsername("other"), .setPassword("other")])
  func typingSignsOut(action: LoginAction) throws {
    enter("admin", "secret")
    #expect(try scheduler.perform(.login, on: viewModel).token == "token of admin")
    #expect(try scheduler.perform(action, on: viewModel).token == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func textTypedDuringASignInStaysAndGetsNoToken() throws {
    enter("admin", "secret")
    scheduler.advance()
    let outcomes = viewModel.loginOutcomeObservable.test(scheduler)
    try withTestStore(viewModel) { store in
      try store.send(.login)
      try store.advance(by: .milliseconds(400))
      try store.send(.setUsername("other")) { $0.username = "other" }
      try store.advance(by: .milliseconds(400)) { $0.signedInUsername = "admin" }
      #expect(store.state.token == nil)
      #expect(outcomes.events == [Recorded(.milliseconds(800), .next(.signedIn(username: "admin")))])
    }
  }

  @Test func isFormValidObservableReplaysAndEmitsOnlyChanges() {
    let isValid = viewModel.isFormValidObservable.test(scheduler)
    enter("admin", "secret")
    enter("administrator", "another")
    enter("adm", "another")
    viewModel.execute(.setUsername("admin"))
    scheduler.advance()
    #expect(isValid.values == [false, true, false, true])
    #expect(viewModel.isFormValidObservable.test(scheduler).values == [true])
    viewModel.clear()
    scheduler.advance()
    #expect(isValid.values == [false, true, false, true])
    #expect(isValid.isCompleted)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func loginActionObservableEmitsSuccessesAndLoginOutcomeObservableEveryAttempt() {
    let signedIn = viewModel.loginActionObservable.test(scheduler)
    let outcomes = viewModel.loginOutcomeObservable.test(scheduler)
    for password in ["secret", "wrong", "secret"] {
      enter("admin", password)
      viewModel.execute(.login)
      scheduler.run()
    }
    #expect(signedIn.events.map(\.time) == [.milliseconds(800), .milliseconds(2_400)])
    #expect(signedIn.values.map(\.token) == ["token of admin", "token of admin"])
    #expect(
      outcomes.events == [
        Recorded(.milliseconds(800), .next(.signedIn(username: "admin"))),
        Recorded(.milliseconds(1_600), .next(.wrongUsernameOrPassword)),
        Recorded(.milliseconds(2_400), .next(.signedIn(username: "admin"))),
      ])
  }

  // contract 2.6: a failed sign-in is an element of both error streams. The state does not change, and the next sign-in works.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aFailureLeavesTheStateAndTheNextSignInWorks() throws {
    let errors = viewModel.errorObservable.map { $0 as? LoginError }.test(scheduler)
    let outcomes = viewModel.loginOutcomeObservable.test(scheduler)
    enter("error", "error")
    scheduler.advance()
    try withTestStore(viewModel) { store in
      try store.send(.login)
      try store.advance(by: .milliseconds(800))
      try store.expect(.failed(LoginError.unexpected), of: .login)
      #expect(errors.values == [.unexpected])
      #expect(outcomes.values == [.unexpectedError])
      try store.send(.setPassword("secret")) { $0.password = "secret" }
    }
    #expect(try scheduler.perform(.login, on: viewModel, mode: .sequence).token == "token of error")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func onlyTheLoginShowsTheSpinner() {
    let loading = viewModel.isLoadingObservable.test(scheduler)
    enter("admin", "secret")
    scheduler.advance(by: .milliseconds(100))
    viewModel.execute(.login)
    scheduler.advance(by: .milliseconds(799))
    #expect(loading.lastValue == true)
    #expect(viewModel.currentState.token == nil)
    scheduler.advance(by: .milliseconds(1))
    #expect(viewModel.currentState.token == "token of admin")
    #expect(loading.mismatch(with: .marbles("f 90ms t 790ms f", ["f": false, "t": true])) == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aSecondLoginWhileSigningInIsDropped() throws {
    let modes = viewModel.executionObservable.map { "\($0.action) \($0.mode)" }.test(scheduler)
    enter("admin", "secret")
    scheduler.advance()
    #expect(modes.values.allSatisfy { $0.hasSuffix(" parallel") })
    try withTestStore(viewModel) { store in
      try store.send(.login)
      try store.send(.login)
      try store.expect(.dropped, of: .login)
      #expect(modes.lastValue == "login dropWhileBusy")
      try store.advance(by: .milliseconds(800)) {
        $0.token = "token of admin"
        $0.signedInUsername = "admin"
      }
      try store.send(.setUsername("other")) {
        $0.username = "other"
        $0.token = nil
      }
      try store.send(.login)
      try store.advance(by: .milliseconds(800)) {
        $0.token = "token of other"
        $0.signedInUsername = "other"
      }
    }
  }

  // The view model ignores the login while the button is disabled, so a view need not check.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: [("", ""), ("admin", "ad"), ("admi", "secret")])
  func loginDoesNothingWhileItIsNotEnabled(username: String, password: String) {
    enter(username, password)
    scheduler.advance()
    let (states, loading) = (viewModel.stateObservable.test(scheduler), viewModel.isLoadingObservable.test(scheduler))
    let outcomes = viewModel.loginOutcomeObservable.test(scheduler)
    viewModel.execute(.login)
    scheduler.advance()
    #expect(scheduler.pendingCount == 0)
    #expect(states.values == [LoginState(username: username, password: password)])
    #expect(loading.values == [false])
    #expect(outcomes.values.isEmpty)
  }

  // contract 2.10: the action ends as cancelled.
  @Test func performingALoginThatIsNotEnabledThrows() {
    #expect(throws: CancellationError.self) { try scheduler.perform(.login, on: viewModel) }
  }

  // contract 2.9: clear() cancels the sign-in and completes the streams.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func clearCancelsTheSignIn() {
    let outcomes = viewModel.loginOutcomeObservable.test(scheduler)
    enter("admin", "secret")
    viewModel.execute(.login)
    scheduler.advance(by: .milliseconds(100))
    viewModel.clear()
    scheduler.run()
    #expect(scheduler.now == .milliseconds(100))
    #expect(outcomes.events == [Recorded(.milliseconds(100), .completed)])
  }

  // contract 2.9: the release of the view model cancels the sign-in, whose effect does not retain the view model.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func releaseCancelsTheSignIn() {
    weak var released: LoginViewModel?
    do {
      let viewModel = LoginViewModel(service: TimedLoginService(clock: scheduler.clock), scheduler: scheduler)
      released = viewModel
      viewModel.execute(.setUsername("admin"))
      viewModel.execute(.setPassword("secret"))
      viewModel.execute(.login)
      scheduler.advance(by: .milliseconds(100))
      #expect(scheduler.pendingCount == 1)
    }
    #expect(released == nil)
    scheduler.run()
    #expect(scheduler.now == .milliseconds(100))
  }

  // contract 2.1
  @Test func worksOnTheGivenScheduler() {
    let service = TimedLoginService(clock: scheduler.clock)
    let viewModel = LoginViewModel(service: service, scheduler: ImmediateScheduler())
    viewModel.execute(.setUsername("admin"))
    #expect(viewModel.currentState.username == "admin")
  }
}

/// A service that takes 800 ms on a test's clock. It rejects the password `wrong`, and fails with the password `error`.
private struct TimedLoginService: LoginService {
  let clock: any Clock<Duration>

  func login(username: String, password: String) async throws -> String {
    try await clock.sleep(for: .milliseconds(800))
    switch password {
    case "wrong": throw LoginError.wrongUsernameOrPassword
    case "error": throw LoginError.unexpected
    default: return "token of \(username)"
    }
  }
}
