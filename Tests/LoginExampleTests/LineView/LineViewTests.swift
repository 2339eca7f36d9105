import Dispatch
import RxViewModel
import Testing

@testable import LoginExample

@MainActor
@Suite(.hangLimit) struct LineViewTests {
  private let service = FakeLoginService()
  private let viewModel: LoginViewModel

  init() {
    viewModel = LoginViewModel(service: service, scheduler: MainScheduler())
  }

  private func start(_ console: ScriptedConsole) -> Task<ExitCode, any Error> {
    let view = LineView(viewModel: viewModel, console: console.console)
    return Task { try await view.run() }
  }

  // The view signs in, waits for the outcome and prints it before it continues with the next pair.
  @Test func waitsForTheOutcome() async throws {
    let console = try ScriptedConsole("first\nsecret\nsecond\nsecret\n")
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
    #expect(try await exitCode.value == .wrong)
    #expect(console.lines == ["Sign in: enabled", "Signed in as first", "Wrong username or password"])
  }

  // The view executes two actions for each pair, and the login if the button is enabled.
  @Test func executesActions() async throws {
    let executions = Recording(viewModel.executionObservable)
    let exitCode = start(try ScriptedConsole("a\nb\nadmin\nsecret\n"))
    try await service.nextCall().succeed("t")
    #expect(try await exitCode.value == .success)
    viewModel.clear()
    let started = await executions.rest().filter { if case .started = $0.phase { true } else { false } }
    #expect(
      started.map(\.action) == [
        .setUsername("a"), .setPassword("b"), .setUsername("admin"), .setPassword("secret"), .login,
      ])
  }

  // The line view does not clear the view model, so a later screen of the process can use it.
  @Test func theViewModelCanBeUsedAgain() async throws {
    for (token, button) in [("t1", "Sign in: enabled"), ("t2", "Sign in: enabled")] {
      let console = try ScriptedConsole("admin\nsecret\n")
      let exitCode = start(console)
      try await service.nextCall().succeed(token)
      #expect(try await exitCode.value == .success)
      #expect(console.lines == [button, "Signed in as admin"])
      #expect(viewModel.currentState.token == token)
    }
  }

  // The view ends if the view model is cleared.
  @Test func aClearedViewModelEndsTheView() async throws {
    let exitCode = start(try ScriptedConsole("admin\nsecret\n"))
    _ = try await service.nextCall()
    viewModel.clear()
    #expect(try await exitCode.value == .unexpectedError)
  }

  // The console is a file and not a terminal, so the view prints no prompts.
  @Test func noPromptsWithoutATerminal() async throws {
    let console = try ScriptedConsole("a\nb\n")
    #expect(try await start(console).value == .wrong)
    #expect(console.lines == ["Sign in: disabled"])
  }
}
