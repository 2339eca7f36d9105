import Foundation
import RxViewModel

/// The login screen line by line. It reads pairs of lines, and prints sentences, or JSON for programs. On a terminal it prompts for them.
@MainActor
struct LineView {
  let viewModel: LoginViewModel
  let console: Console
  let isJSON: Bool

  /// Signs in with each pair until the input ends, and returns the exit code of the last pair.
  func run() async throws -> ExitCode {
    let bag = DisposeBag()
    defer { bag.dispose() }
    if isJSON { jsonLines(of: viewModel).bind { [console] in console.print($0 + "\n") }.disposed(by: bag) }
    var (wasEnabled, exitCode) = (Bool?.none, ExitCode?.none)
    while let username = try ask("Username: ") {
      guard let password = try ask("Password: ", hidesKeys: true) else {
        throw Failure(exitCode: .incompleteInput, message: "the input ends inside a pair")
      }
      viewModel.execute(.setUsername(username))
      let isEnabled = try await viewModel.perform(.setPassword(password)).isLoginEnabled
      if isEnabled != wasEnabled { say("Sign in: \(isEnabled ? "enabled" : "disabled")") }
      wasEnabled = isEnabled
      exitCode = isEnabled ? await signIn() : .wrong
    }
    guard let exitCode else { throw Failure(exitCode: .incompleteInput, message: "the input holds no pair") }
    return exitCode
  }

  private func signIn() async -> ExitCode {
    let outcome: LoginOutcome
    do { outcome = LoginOutcome(try await viewModel.perform(.login)) } catch { outcome = LoginOutcome(error) }
    say(outcome.message)
    return ExitCode(outcome)
  }

  private func say(_ sentence: String) {
    if !isJSON { console.print(sentence.printable + "\n") }
  }

  /// Waits for a line. Blocks the main thread, which has no other work meanwhile.
  private func ask(_ prompt: String, hidesKeys: Bool = false) throws -> String? {
    // The terminal stops showing keys before the prompt appears, because the user may type at once.
    if hidesKeys { _ = TerminalMode.take(.hiddenKeys) }
    defer { TerminalMode.restore() }
    let hasPrompt = console.isTerminal && !isJSON
    if hasPrompt { console.print(prompt) }
    let line = try console.readLine()
    // Ends the line of the prompt, so that the shell's prompt begins a new line.
    if hasPrompt, line == nil { console.print("\n") }
    return line
  }
}

/// Emits each element of the view model's six streams as a JSON object. No object contains a password, nor the text of an error, which
/// comes from the service and may contain anything.
func jsonLines(of viewModel: LoginViewModel) -> Observable<String> {
  .merge([
    viewModel.stateObservable.map { jsonLine("state", ["state": json($0)]) },
    viewModel.actionAndStateObservable
      .map { jsonLine("actionAndState", ["action": name(of: $0.action), "state": json($0.state)]) },
    viewModel.errorObservable.map { jsonLine("error", ["error": json($0)]) },
    viewModel.actionAndErrorObservable
      .map { jsonLine("actionAndError", ["action": $0.action.map(name) ?? NSNull(), "error": json($0.error)]) },
    viewModel.isLoadingObservable.map { jsonLine("isLoading", ["isLoading": $0]) },
    viewModel.executionObservable.map { execution in
      var members: [String: Any] = [
        "id": execution.id, "action": name(of: execution.action), "mode": name(of: execution.mode),
        "phase": name(of: execution.phase),
      ]
      switch execution.phase {
      case .emitted(let state), .completed(let state): members["state"] = json(state)
      case .failed(let error): members["error"] = json(error)
      case .started, .cancelled, .dropped: break
      }
      return jsonLine("execution", members)
    },
  ])
}

/// The name of an enum case, without its associated values.
private func name(of value: some Any) -> String { String("\(value)".prefix(while: \.isLetter)) }

private func json(_ error: any Error) -> String { name(of: error as? LoginError ?? .unexpected) }

private func json(_ state: LoginState) -> [String: Any] {
  [
    "username": state.username, "passwordLength": state.password.count, "isLoginEnabled": state.isLoginEnabled,
    "token": state.token ?? NSNull(),
  ]
}

/// Returns the object on one line. Escapes the characters that control a terminal.
func jsonLine(_ stream: String, _ members: [String: Any]) -> String {
  let object = members.merging(["stream": stream]) { $1 }
  let data = try! JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
  return String(decoding: data, as: UTF8.self).unicodeScalars
    .map { $0.isSteering ? String(format: "\\u%04x", $0.value) : String($0) }.joined()
}
