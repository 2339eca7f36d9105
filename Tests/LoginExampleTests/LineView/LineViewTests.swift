import Dispatch
import RxViewModel
import Testing

@testable import LoginExample

@Suite(.hangLimit) struct LineViewTests {
  private let service = FakeLoginService()
  private let viewModel: LoginViewModel

  init() {
    viewModel = LoginViewModel(service: service)
  }

  private func start(_ console: ScriptedConsole, _ format: LineFormat = .text) -> Task<ExitCode, Never> {
    let view = LineView(viewModel: viewModel, console: console, format: format)
    return Task { await view.run() }
  }

  // Signs in, waits for the outcome and prints it; the next pair waits for that.
  @Test func waitsForTheOutcome() async throws {
    let console = ScriptedConsole("first\nsecret\nsecond\nsecret\n")
    let exitCode = start(console)
    let first = try await service.nextCall()
    #expect(first.username == "first")
    #expect(first.password == "secret")
    #expect(console.lines == ["Sign in: enabled"])
    #expect(viewModel.currentState.username == "first")
    first.succeed("t")
    let second = try await service.nextCall()
    #expect(second.username == "second")
    #expect(console.lines == ["Sign in: enabled", "Signed in as first"])
    second.fail(LoginError.wrongUsernameOrPassword)
    #expect(await exitCode.value == .wrong)
    #expect(console.lines == ["Sign in: enabled", "Signed in as first", "Wrong username or password"])
  }

  // The view only makes actions. Two for each pair, and the login where it is enabled.
  @Test func makesActions() async throws {
    let executions = Recording(viewModel.executionObservable)
    let exitCode = start(ScriptedConsole("a\nb\nadmin\nsecret\n"))
    try await service.nextCall().succeed("t")
    #expect(await exitCode.value == .success)
    viewModel.clear()
    let started = await executions.rest().filter { if case .started = $0.phase { true } else { false } }
    #expect(
      started.map(\.action) == [
        .setUsername("a"), .setPassword("b"), .setUsername("admin"), .setPassword("secret"), .login,
      ])
  }

  // A later screen of the same process can use the view model, which the line view leaves as it is.
  @Test func theViewModelCanBeUsedAgain() async throws {
    for (token, button) in [("t1", "Sign in: enabled"), ("t2", "Sign in: enabled")] {
      let console = ScriptedConsole("admin\nsecret\n")
      let exitCode = start(console)
      try await service.nextCall().succeed(token)
      #expect(await exitCode.value == .success)
      #expect(console.lines == [button, "Signed in as admin"])
      #expect(viewModel.currentState.token == token)
    }
  }

  // After its end the view prints nothing more, whatever becomes of the view model.
  @Test func endsItsSubscriptions() async throws {
    let console = ScriptedConsole("a\nb\n")
    #expect(await start(console).value == .wrong)
    let state = try await viewModel.perform(.setUsername("admin"))
    #expect(state.password == "b")
    try await viewModel.perform(.setPassword("secret"))
    #expect(console.lines == ["Sign in: disabled"])
  }

  // A view whose view model is cleared under it ends too.
  @Test func aClearedViewModelEndsTheView() async throws {
    let exitCode = start(ScriptedConsole("admin\nsecret\n"))
    _ = try await service.nextCall()
    viewModel.clear()
    #expect(await exitCode.value == .unexpectedError)
  }

  // ExitCode.outputFailed: an output that is closed does not hang the program, though its input goes on.
  @Test func anOutputThatFailsEndsTheView() async {
    let console = SilentConsole()
    defer { console.input.signal() }
    #expect(await LineView(viewModel: viewModel, console: console, format: .json).run() == .outputFailed)
  }

  // With a terminal the same view with prompts. The outcome stands before the next prompt; the password's keys
  // are hidden; the shell's prompt after the end stands on a line of its own.
  @Test func promptsOnATerminal() async throws {
    let typed = ["a\n", "bb\n", "admin\n", "secret\n"].map { Array($0.utf8) }
    let console = ScriptedConsole(typed, isInteractive: true)
    let exitCode = start(console)
    try await service.nextCall().succeed("t")
    #expect(await exitCode.value == .success)
    #expect(
      console.prints == [
        "Username: ", "Password: ", "Sign in: disabled\n",
        "Username: ", "Password: ", "Sign in: enabled\n", "Signed in as admin\n",
        "Username: ", "\n",
      ])
    #expect(console.hiddenInput == ["bb\n", "secret\n"])
  }

  // In a pipe no prompt is printed; nor with --json, on a terminal either.
  @Test func noPromptsInJSON() async {
    let console = ScriptedConsole("a\nb\n", isInteractive: true)
    #expect(await start(console, .json).value == .wrong)
    #expect(console.lines.allSatisfy { $0.hasPrefix(#"{"stream":""#) })
  }
}

/// A console that can't be written to, and on which nobody types.
private struct SilentConsole: Console {
  let input = DispatchSemaphore(value: 0)
  let isInteractive = false
  let environment: [String: String] = [:]

  /// Ends after a time in which the view has long ended by itself.
  func readInput() -> [UInt8] {
    _ = input.wait(timeout: .now() + .seconds(waitLimit))
    return []
  }

  func hidingKeys<Result>(_ body: () -> Result) -> Result { body() }
  func print(_ text: String) -> Bool { false }
  func report(_ message: String) {}
}
