import DirectoryScreens
import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct SignInViewModelTests {
  private let fixture = Fixture([])
  private let viewModel: SignInViewModel
  private let store: TestStore<SignInAction, SignInState>

  init() throws {
    viewModel = fixture.makeSignIn()
    store = TestStore(viewModel)
    try store.send(.setUsername("admin")) { $0.username = "admin" }
  }

  // contract 2.3, 6: the effect sends the route and the message when the answer arrives.
  @Test @MainActor func signsInAndNavigatesToThePeople() throws {
    let inbox = Inbox(fixture.messages)
    try store.send(.setPassword(Password("admin"))) { $0.password = Password("admin") }
    try store.send(.signIn)
    try store.advance(by: Fixture.latency) { $0.isSignedIn = true }
    try store.finish()
    #expect(fixture.screens.events == [Recorded(Fixture.latency, .next(.people))])
    #expect(inbox.texts == ["Welcome, admin"])
  }

  // contract 2.7: the state keeps the error until the next attempt.
  @Test func aWrongPasswordIsAnErrorInTheState() throws {
    try store.send(.setPassword(Password("wrong"))) { $0.password = Password("wrong") }
    try store.send(.signIn)
    try store.advance(by: Fixture.latency) { $0.error = "Wrong username or password" }
    try store.send(.signIn) { $0.error = nil }
    try store.advance(by: Fixture.latency) { $0.error = "Wrong username or password" }
    try store.finish()
    #expect(fixture.screens.routes.isEmpty)
  }

  // contract 2, execution modes: dropWhileBusy.
  @Test func aDoubleClickSignsInOnce() throws {
    try store.send(.setPassword(Password("admin"))) { $0.password = Password("admin") }
    try store.send(.signIn)
    try store.send(.signIn)
    try store.expect(.dropped, of: .signIn)
    try store.advance(by: Fixture.latency) { $0.isSignedIn = true }
    // The next screen may not be shown yet.
    try store.send(.signIn)
    try store.expect(.cancelled, of: .signIn)
    try store.finish()
    #expect(fixture.screens.routes == [.people])
  }

  @Test func aFormThatIsTooShortIsNotSent() throws {
    try store.send(.setPassword(Password("ad"))) { $0.password = Password("ad") }
    #expect(!store.state.isSignInEnabled)
    try store.send(.signIn)
    try store.expect(.cancelled, of: .signIn)
    try store.finish()
  }

  @Test func aLogDoesNotShowThePassword() throws {
    let lines = PublishSubject<String>()
    let log = lines.test(fixture.scheduler)
    let logging = viewModel.log { lines.onNext($0) }
    try store.send(.setPassword(Password("secret"))) { $0.password = Password("secret") }
    logging.dispose()
    #expect(log.values.count == 2)
    #expect(!log.values.contains { $0.contains("secret") })
  }
}
