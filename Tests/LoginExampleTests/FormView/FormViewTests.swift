import RxViewModel
import Testing

@testable import LoginExample

/// The form during sign-ins. The test decides when the service answers.
@MainActor
@Suite(.hangLimit) struct FormViewTests {
  private let service = FakeLoginService()
  private let viewModel: LoginViewModel
  private let view: FormView
  private let frames: AsyncStream<Form>

  init() {
    let (frames, frame) = AsyncStream<Form>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.frames = frames
    viewModel = LoginViewModel(service: service, scheduler: MainScheduler())
    view = FormView(viewModel) { frame.yield($0) }
  }

  private func press(_ keys: Key...) {
    for key in keys { #expect(view.handle(key)) }
  }

  /// Waits until the form shows the outcome and the end of the sign-in. The outcome comes first, and until the end the view model drops the
  /// next sign-in. The form draws each of its changes. The time limit of the test bounds the wait.
  private func waitForEndOfSignIn() async {
    var hasEnded: Bool { view.outcome != nil && !view.form.isLoading }
    if hasEnded { return }
    for await _ in frames where hasEnded { return }
  }

  /// Fills in the form, and signs in with the button.
  private func signIn() async throws -> FakeLoginService.Call {
    press(.text("admin"), .enter, .text("admin"), .next, .enter)
    return try await service.nextCall()
  }

  @Test func showsTheStreamsOfTheViewModel() async throws {
    let call = try await signIn()
    #expect(call.username == "admin" && call.password == "admin")
    #expect(view.form.isLoading)
    call.succeed("t")
    await waitForEndOfSignIn()
    #expect(view.form.notice == .outcome(.signedIn(username: "admin")))
    // The sign-in has ended, so Escape leaves.
    #expect(!view.handle(.escape))
  }

  @Test func theOutcomeIsThatOfTheLastSignIn() async throws {
    try await signIn().succeed("t")
    await waitForEndOfSignIn()
    press(.enter)
    #expect(view.outcome == nil)
    try await service.nextCall().fail(LoginError.unexpected)
    await waitForEndOfSignIn()
    #expect(view.outcome == .unexpectedError)
  }

  @Test func aCancelledSignInHasNoOutcome() async throws {
    try await signIn().succeed("t")
    await waitForEndOfSignIn()
    #expect(view.outcome == .signedIn(username: "admin"))
    press(.enter)
    _ = try await service.nextCall()
    press(.escape)
    #expect(try await service.nextCancellation() == "admin")
    #expect(view.outcome == nil)
  }

  @Test func theNoticeNamesTheUserWhoSignedIn() async throws {
    let call = try await signIn()
    press(.previous, .previous, .text("XYZ"))
    #expect(view.form.state.username == "adminXYZ")
    call.succeed("t")
    await waitForEndOfSignIn()
    #expect(view.form.notice == .outcome(.signedIn(username: "admin")))
    // Typing removes the notice but not the outcome.
    press(.text("!"))
    #expect(view.form.notice == nil)
    #expect(view.outcome == .signedIn(username: "admin"))
  }

  @Test func aDisposedBagEndsTheUpdates() async throws {
    let call = try await signIn()
    view.bag.dispose()
    let before = view.form
    let outcomes = viewModel.loginOutcomeObservable.values
    call.succeed("t")
    for try await outcome in outcomes {
      #expect(outcome == .signedIn(username: "admin"))
      break
    }
    #expect(view.form.state == before.state)
    #expect(view.outcome == nil)
  }
}
