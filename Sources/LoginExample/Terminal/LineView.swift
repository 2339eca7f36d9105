import RxViewModel

/// The login screen, line by line: it turns pairs of lines into actions, and prints what comes of them.
///
/// On a terminal it prompts, hides the password, shows a spinner while the view model is loading, and ends after the first sign-in that
/// succeeds.
@MainActor
struct LineView {
  let viewModel: LoginViewModel
  let console: Console

  /// Signs in with each pair until the input ends, and returns the exit code of the last pair.
  func run() async throws -> ExitCode {
    let bag = DisposeBag()
    if console.isTerminal { spinner.bind { console.print("\r\($0)\r") }.disposed(by: bag) }
    defer { bag.dispose() }
    var (wasEnabled, exitCode) = (Bool?.none, ExitCode?.none)
    while !console.isTerminal || exitCode != .success, let username = try ask("Username: ") {
      guard let password = try ask("Password: ", hidesKeys: true) else {
        throw Failure(exitCode: .incompleteInput, message: "the input ends inside a pair")
      }
      viewModel.execute(.setUsername(username))
      let isEnabled = try await viewModel.perform(.setPassword(password)).isLoginEnabled
      if isEnabled != wasEnabled { console.print("Sign in: \(isEnabled ? "enabled" : "disabled")\n") }
      wasEnabled = isEnabled
      exitCode = isEnabled ? await signIn() : .wrong
    }
    guard let exitCode else { throw Failure(exitCode: .incompleteInput, message: "the input holds no pair") }
    return exitCode
  }

  /// What stands at the beginning of the line: a bar that turns while a sign-in runs, then a blank.
  private var spinner: Observable<String> {
    viewModel.isLoadingObservable.skip(1).flatMapLatest { isLoading -> Observable<String> in
      guard isLoading else { return .just(" ") }
      return Observable.interval(.milliseconds(80), scheduler: .main).map { ["|", "/", "-", "\\"][$0 % 4] }
    }
  }

  private func signIn() async -> ExitCode {
    let outcome: LoginOutcome
    do { outcome = LoginOutcome(try await viewModel.perform(.login)) } catch { outcome = LoginOutcome(error) }
    console.print(outcome.message.printable + "\n")
    return ExitCode(outcome)
  }

  /// Waits for a line. Blocks the main thread, which has no other work meanwhile.
  private func ask(_ prompt: String, hidesKeys: Bool = false) throws -> String? {
    // The terminal stops showing keys before the prompt appears, because the user may type at once.
    if hidesKeys { HiddenKeys.hide() }
    defer { HiddenKeys.restore() }
    if console.isTerminal { console.print(prompt) }
    let line = try console.readLine()
    // Ends the line of the prompt, so that the shell's prompt begins a new line.
    if console.isTerminal, line == nil { console.print("\n") }
    return line
  }
}
