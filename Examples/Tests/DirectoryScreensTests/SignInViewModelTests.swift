import DirectoryScreens
import RxViewModel
import RxViewModelTesting
import Testing

struct SignInViewModelTests {
  private let fixture = Fixture([])
  private let viewModel: SignInViewModel

  init() {
    viewModel = fixture.makeSignIn()
  }

  /// Calls `body` with a store whose form has a name.
  private func withNamedForm(_ body: (TestStore<SignInAction, SignInState>) throws -> Void) throws {
    try withTestStore(viewModel) { store in
      try store.send(.setUsername("admin")) { $0.username = "admin" }
      try body(store)
    }
  }

  // contract 2.3, 6: the effect sends the route and the message when the answer arrives.
  @Test @MainActor func signsInAndNavigatesToThePeople() throws {
    try withNamedForm { store in
      let inbox = Inbox(fixture.messages)
      try store.send(.setPassword(Password("admin"))) { $0.password = Password("admin") }
      try store.send(.signIn)
      try store.advance(by: Fixture.latency) { $0.isSignedIn = true }
      #expect(fixture.screens.events == [Recorded(Fixture.latency, .next(.people))])
      #expect(inbox.texts == ["Welcome, admin"])
    }
  }

  // contract 2.7: the state keeps the error until the next attempt.
  @Test func aWrongPasswordIsAnErrorInTheState() throws {
    try withNamedForm { store in
      try store.send(.setPassword(Password("wrong"))) { $0.password = Password("wrong") }
      try store.send(.signIn)
      try store.advance(by: Fixture.latency) { $0.error = "Wrong username or password" }
      try store.send(.signIn) { $0.error = nil }
      try store.advance(by: Fixture.latency) { $0.error = "Wrong username or password" }
      #expect(fixture.screens.routes.isEmpty)
    }
  }

  // contract 2, execution modes: dropWhileBusy.
  @Test func aDoubleClickSignsInOnce() throws {
    try withNamedForm { store in
      try store.send(.setPassword(Password("admin"))) { $0.password = Password("admin") }
      try store.send(.signIn)
      try store.send(.signIn)
      try store.expect(.dropped, of: .signIn)
      try store.advance(by: Fixture.latency) { $0.isSignedIn = true }
      // The next screen may not be shown yet.
      try store.send(.signIn)
      try store.expect(.cancelled, of: .signIn)
      #expect(fixture.screens.routes == [.people])
    }
  }

  @Test func aFormThatIsTooShortIsNotSent() throws {
    try withNamedForm { store in
      try store.send(.setPassword(Password("ad"))) { $0.password = Password("ad") }
      #expect(!store.state.isSignInEnabled)
      try store.send(.signIn)
      try store.expect(.cancelled, of: .signIn)
    }
  }

  @Test func aLogDoesNotShowThePassword() throws {
    try withNamedForm { store in
      let lines = PublishSubject<String>()
      let log = lines.test(fixture.scheduler)
      let logging = viewModel.log { lines.onNext($0) }
      try store.send(.setPassword(Password("secret"))) { $0.password = Password("secret") }
      logging.dispose()
      #expect(log.values.count == 2)
      #expect(!log.values.contains { $0.contains("secret") })
    }
  }
}
