import RxViewModel
import Testing

@testable import LoginExample

@Suite(.hangLimit) struct LoginViewModelTests {
  private let service = FakeLoginService()
  private let viewModel: LoginViewModel

  init() {
    viewModel = LoginViewModel(service: service)
  }

  private func enter(_ username: String, _ password: String) {
    viewModel.execute(.setUsername(username))
    viewModel.execute(.setPassword(password))
  }

  // Issue 2: username, password, token.
  @Test func eachActionChangesItsPartOfTheState() async throws {
    let states = Recording(viewModel.stateObservable)
    enter("admin", "secret")
    viewModel.execute(.login)
    try await service.nextCall().succeed("t")
    #expect(
      try await states.next(4) == [
        LoginState(),
        LoginState(username: "admin"),
        LoginState(username: "admin", password: "secret"),
        LoginState(username: "admin", password: "secret", token: "t", signedInUsername: "admin"),
      ])
  }

  // Issue 2: the service is asked with what the fields hold.
  @Test func loginUsesTheFields() async throws {
    enter("somebody", "12 345")
    viewModel.execute(.login)
    let call = try await service.nextCall()
    #expect(call.username == "somebody")
    #expect(call.password == "12 345")
    call.succeed("t")
  }

  // LoginState.token: nil unless signed in with this username and this password.
  @Test(arguments: [LoginAction.setUsername("other"), .setPassword("other")])
  func typingSignsOut(action: LoginAction) async throws {
    let signedIn = Recording(viewModel.loginActionObservable)
    enter("admin", "secret")
    viewModel.execute(.login)
    try await service.nextCall().succeed("t")
    #expect(try await signedIn.next().token == "t")
    #expect(try await viewModel.perform(action).token == nil)
  }

  // LoginViewModel.login: what is typed while signing in stays, and is not what signed in.
  @Test func typingWhileSigningIn() async throws {
    let signedIn = Recording(viewModel.loginActionObservable)
    let outcomes = Recording(viewModel.loginOutcomeObservable)
    enter("admin", "secret")
    viewModel.execute(.login)
    let call = try await service.nextCall()
    #expect(try await viewModel.perform(.setUsername("other")).username == "other")
    call.succeed("t")
    let state = try await signedIn.next()
    #expect(state.username == "other")
    #expect(state.token == nil)
    #expect(try await outcomes.next() == .signedIn(username: "admin"))
  }

  // Issue 2: isFormValidObservable. Replays the current value, then each change, and nothing twice in a row.
  @Test func isFormValid() async throws {
    let isValid = Recording(viewModel.isFormValidObservable)
    enter("admin", "secret")
    enter("administrator", "another")
    enter("adm", "another")
    viewModel.execute(.setUsername("admin"))
    #expect(try await isValid.next(4) == [false, true, false, true])
    #expect(try await Recording(viewModel.isFormValidObservable).next() == true)
    viewModel.clear()
    #expect(await isValid.rest() == [])
  }

  // Issue 2: loginActionObservable has the state of each successful sign-in and nothing else; outcomes have all.
  @Test func onlySuccessesAreLoginActions() async throws {
    let signedIn = Recording(viewModel.loginActionObservable)
    let outcomes = Recording(viewModel.loginOutcomeObservable)
    enter("admin", "secret")
    for succeeds in [true, false, true] {
      let loading = Recording(viewModel.isLoadingObservable)
      viewModel.execute(.login)
      let call = try await service.nextCall()
      if succeeds { call.succeed("t") } else { call.fail(LoginError.wrongUsernameOrPassword) }
      #expect(try await loading.next(3) == [false, true, false])
    }
    viewModel.clear()
    #expect(await signedIn.rest().map(\.token) == ["t", "t"])
    #expect(
      await outcomes.rest() == [
        .signedIn(username: "admin"), .wrongUsernameOrPassword, .signedIn(username: "admin"),
      ])
  }

  // Contract 2.6: a failed sign-in is an item on both error streams; the state stays; the next sign-in works.
  @Test func failure() async throws {
    let errors = Recording(viewModel.errorObservable)
    let actionAndErrors = Recording(viewModel.actionAndErrorObservable)
    let outcomes = Recording(viewModel.loginOutcomeObservable)
    enter("admin", "secret")
    viewModel.execute(.login)
    try await service.nextCall().fail(LoginError.unexpected)
    #expect(try await errors.next() as? LoginError == .unexpected)
    let element = try await actionAndErrors.next()
    #expect(element.action == .login)
    #expect(element.error as? LoginError == .unexpected)
    #expect(try await outcomes.next() == .unexpectedError)
    #expect(viewModel.currentState == LoginState(username: "admin", password: "secret"))

    let again = Task { [viewModel] in try await viewModel.perform(.login, mode: .sequence) }
    try await service.nextCall().succeed("t")
    #expect(try await again.value.token == "t")
  }

  // Issue 2: showSpinner for the login only.
  @Test func theSpinnerTurnsForTheLoginOnly() async throws {
    let loading = Recording(viewModel.isLoadingObservable)
    enter("admin", "secret")
    viewModel.execute(.login)
    try await service.nextCall().succeed("t")
    #expect(try await loading.next(3) == [false, true, false])
    viewModel.clear()
    #expect(await loading.rest() == [])
  }

  // Issue 2: login in mode dropWhileBusy, the others in the default mode.
  @Test func aSecondLoginWhileSigningInIsDropped() async throws {
    let executions = Recording(viewModel.executionObservable)
    enter("admin", "secret")
    viewModel.execute(.login)
    viewModel.execute(.login)
    let phases = try await executions.next { if case .dropped = $0.phase { true } else { false } }
    #expect(phases.map(\.mode) == Array(repeating: .parallel, count: 6) + [.dropWhileBusy, .dropWhileBusy])
    #expect(phases.map(\.id) == [1, 1, 1, 2, 2, 2, 3, 4])

    // The service has been asked once: its next call is that of the login after.
    try await service.nextCall().succeed("first")
    _ = try await executions.next { if case .completed = $0.phase { true } else { false } }
    viewModel.execute(.setUsername("another"))
    viewModel.execute(.login)
    let call = try await service.nextCall()
    #expect(call.username == "another")
    call.succeed("second")
  }

  // Contract 2.9: clear() cancels the sign-in and completes the streams.
  @Test func clearCancelsTheSignIn() async throws {
    let outcomes = Recording(viewModel.loginOutcomeObservable)
    enter("admin", "secret")
    viewModel.execute(.login)
    _ = try await service.nextCall()
    viewModel.clear()
    #expect(try await service.nextCancellation() == "admin")
    #expect(await outcomes.rest() == [])
  }

  // Contract 2.9: so does the release of the view model, which its own effect does not keep alive.
  @Test func releaseCancelsTheSignIn() async throws {
    let service = FakeLoginService()
    var viewModel: LoginViewModel? = LoginViewModel(service: service)
    let released = WeakReference(viewModel)
    viewModel?.execute(.setUsername("admin"))
    viewModel?.execute(.login)
    _ = try await service.nextCall()
    viewModel = nil
    #expect(try await service.nextCancellation() == "admin")
    #expect(released.object == nil)
  }

  // Contract 2.1: the view model works on the scheduler that it is given.
  @Test func worksOnAGivenScheduler() {
    let viewModel = LoginViewModel(service: service, scheduler: ImmediateScheduler())
    viewModel.execute(.setUsername("admin"))
    #expect(viewModel.currentState.username == "admin")
  }
}

private struct WeakReference {
  weak var object: LoginViewModel?

  init(_ object: LoginViewModel?) {
    self.object = object
  }
}
