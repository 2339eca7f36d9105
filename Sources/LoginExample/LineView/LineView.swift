import RxViewModel

/// The login screen line by line: reads pairs of lines, prints lines. On a terminal it prompts for what it reads.
///
/// It makes actions of what it reads, and prints the lines that ``LineFormat`` makes of the view model's streams. It leaves
/// the view model to whoever comes next, in the state of the last pair.
struct LineView: Sendable {
  let viewModel: LoginViewModel
  let console: any Console
  let format: LineFormat

  /// Shows the screen until the input ends, and returns the exit code.
  func run() async -> ExitCode {
    let subscriptions = DisposeBag()
    defer { subscriptions.dispose() }
    let (steps, continuation) = AsyncThrowingStream.makeStream(of: LineViewStep.self)
    subscribe(continuation, subscriptions)
    do {
      var steps = LineViewSteps(steps)
      return try await signInPairs(&steps, continuation)
    } catch is OutputFailed {
      return .outputFailed
    } catch {
      return .unexpectedError
    }
  }

  private typealias Steps = AsyncThrowingStream<LineViewStep, any Error>.Continuation

  /// Starts to print, and to report the view model's steps.
  ///
  /// Subscribers are called in the order in which they subscribed. So what is to be printed of an event has been, when
  /// the step comes that the same event leads to.
  private func subscribe(_ steps: Steps, _ subscriptions: DisposeBag) {
    format.lines(of: viewModel)
      .subscribe(onNext: { line in _ = print(line + "\n", steps) })
      .disposed(by: subscriptions)
    viewModel.lineViewSteps
      .subscribe(onNext: { steps.yield($0) }, onCompleted: { steps.finish() })
      .disposed(by: subscriptions)
  }

  /// An output that fails ends the steps, so that whatever is waited for, input too, is waited for no longer.
  private func print(_ text: String, _ steps: Steps) -> Bool {
    let isPrinted = console.print(text)
    if !isPrinted { steps.finish(throwing: OutputFailed()) }
    return isPrinted
  }

  /// Takes pairs from the input to its end.
  private func signInPairs(_ steps: inout LineViewSteps, _ continuation: Steps) async throws -> ExitCode {
    let input = LineInput(console, hasPrompts: console.isInteractive && format == .text) { print($0, continuation) }
    func ask(_ prompt: String, hidingKeys isHidden: Bool = false) async throws -> String? {
      input.ask(prompt, hidingKeys: isHidden) { continuation.yield(.line($0)) }
      return try await steps.line()
    }
    var exitCode: ExitCode?
    while let username = try await ask("Username: ") {
      guard let password = try await ask("Password: ", hidingKeys: true) else {
        console.report("LoginExample: the input ends inside a pair\n")
        return .incompleteInput
      }
      exitCode = try await signIn(username, password, &steps)
    }
    if let exitCode { return exitCode }
    console.report("LoginExample: the input holds no pair\n")
    return .incompleteInput
  }

  /// Sets both fields and presses the button if it is enabled.
  private func signIn(_ username: String, _ password: String, _ steps: inout LineViewSteps) async throws -> ExitCode {
    viewModel.execute(.setUsername(username))
    viewModel.execute(.setPassword(password))
    guard try await steps.entered() else { return .wrong }
    viewModel.execute(.login)
    return ExitCode(try await steps.outcome())
  }

  private struct OutputFailed: Error {}
}
