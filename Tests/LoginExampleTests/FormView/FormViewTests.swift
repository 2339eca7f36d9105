import RxViewModel
import Testing

@testable import LoginExample

/// The wiring, with a screen and a service of the test's.
@MainActor
@Suite(.hangLimit) struct FormViewTests {
  private final class FakeScreen: FormScreen {
    let inputs: AsyncStream<FormInput>
    let keyboard: AsyncStream<FormInput>.Continuation
    let (columns, hasColor) = (80, true)
    var suspensions = 0
    private let (frames, frame) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init() { (inputs, keyboard) = AsyncStream.makeStream() }
    func draw(_ lines: [String]) { frame.yield() }
    func suspend() { suspensions += 1 }
    func press(_ keys: Key...) { keyboard.yield(.keys(keys)) }

    /// Waits for the frame after which `isDone`: the form draws each of its changes. The time limit of the test bounds it.
    func waitForFrame(until isDone: () -> Bool) async {
      if isDone() { return }
      for await _ in frames where isDone() { return }
    }
  }

  @Test func signsInWithTheStreamsOfTheViewModel() async {
    let (service, screen) = (DemoLoginService(latency: .milliseconds(1)), FakeScreen())
    let view = FormView(viewModel: LoginViewModel(service: service), screen: screen)
    async let exitCode = view.run()
    screen.press(.text("admin"), .enter, .text("admin"), .enter)
    await screen.waitForFrame { view.outcome != nil }
    #expect(view.form.isButtonEnabled)
    #expect(view.form.notice == .outcome(.signedIn(username: "admin")))
    screen.press(.suspend, .escape)
    #expect(await exitCode == .success)
    #expect(screen.suspensions == 1)
  }

  @Test func theLastSignInDecides() async {
    let view = FormView(viewModel: LoginViewModel(service: DemoLoginService(latency: .zero)), screen: FakeScreen())
    let screen = FakeScreen()
    let failing = FormView(viewModel: LoginViewModel(service: DemoLoginService(latency: .zero)), screen: screen)
    async let exitCode = failing.run()
    screen.press(.text("error"), .enter, .text("error"), .enter)
    await screen.waitForFrame { failing.outcome != nil }
    #expect(failing.outcome == .unexpectedError)
    screen.press(.leave)
    #expect(await exitCode == .unexpectedError)
    #expect(view.outcome == nil)
  }

  /// A form that has been filled in, with the focus on the button.
  private func filledIn(_ service: FakeLoginService) async -> (FormView, FakeScreen, Task<ExitCode, Never>) {
    let screen = FakeScreen()
    let view = FormView(viewModel: LoginViewModel(service: service), screen: screen)
    let exitCode = Task { await view.run() }
    screen.press(.text("admin"), .enter, .text("admin"), .next)
    await screen.waitForFrame { view.form.isButtonEnabled && view.form.focus == .button }
    return (view, screen, exitCode)
  }

  @Test func escapeInOneReadWithEnterCancels() async {
    let (view, screen, exitCode) = await filledIn(FakeLoginService())
    screen.press(.enter, .escape)
    await screen.waitForFrame { view.form.notice != nil }
    #expect(view.form.notice == .cancelled)
    screen.press(.leave)
    #expect(await exitCode.value == .incompleteInput)
  }

  @Test func aCancelledSignInDecidesToo() async throws {
    let service = FakeLoginService()
    let (view, screen, exitCode) = await filledIn(service)
    screen.press(.enter)
    try await service.nextCall().succeed("t")
    await screen.waitForFrame { view.outcome != nil && !view.form.isLoading }
    #expect(view.outcome == .signedIn(username: "admin"))
    screen.press(.enter)
    _ = try await service.nextCall()
    screen.press(.escape)
    #expect(try await service.nextCancellation() == "admin")
    screen.press(.leave)
    #expect(await exitCode.value == .incompleteInput)
    #expect(view.outcome == nil)
  }

  @Test func theOneWhoSignedInIsNamed() async throws {
    let service = FakeLoginService()
    let (view, screen, exitCode) = await filledIn(service)
    screen.press(.enter)
    let call = try await service.nextCall()
    screen.press(.previous, .previous, .text("XYZ"))
    await screen.waitForFrame { view.form.username == "adminXYZ" }
    call.succeed("t")
    await screen.waitForFrame { view.outcome != nil }
    #expect(view.form.notice == .outcome(.signedIn(username: "admin")))
    screen.press(.leave)
    #expect(await exitCode.value == .success)
  }

  @Test func withoutASignInItIsIncomplete() async {
    let screen = FakeScreen()
    let view = FormView(viewModel: LoginViewModel(service: DemoLoginService(latency: .zero)), screen: screen)
    screen.keyboard.yield(.end)
    #expect(await view.run() == .incompleteInput)
  }

  @Test func anOutputThatFailsCountsMoreThanASignIn() async {
    let screen = FakeScreen()
    let view = FormView(viewModel: LoginViewModel(service: DemoLoginService(latency: .zero)), screen: screen)
    screen.keyboard.yield(.outputFailed)
    #expect(await view.run() == .outputFailed)
  }
}
