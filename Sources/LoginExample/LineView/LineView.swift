import RxViewModel

/// The login screen line by line: reads pairs of lines, and prints lines. On a terminal it shows a prompt for each
/// line.
///
/// The view turns the lines that it reads into actions, and prints the lines that ``LineFormat`` makes from the view model's streams. When
/// it ends, the view model stays in the state of the last pair, and another view may use it.
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

  /// Starts printing, and starts reporting the view model's steps.
  ///
  /// A stream calls its subscribers in the order of their subscriptions. So the view has printed an event before it
  /// gets the step that follows from the same event.
  private func subscribe(_ steps: Steps, _ subscriptions: DisposeBag) {
    format.lines(of: viewModel)
      .subscribe(onNext: { line in _ = print(line + "\n", steps) })
      .disposed(by: subscriptions)
    viewModel.lineViewSteps
      .subscribe(onNext: { steps.yield($0) }, onCompleted: { steps.finish() })
      .disposed(by: subscriptions)
  }

  /// Prints text. If that fails, ends the steps, so that the view stops waiting for steps and for input.
  private func print(_ text: String, _ steps: Steps) -> Bool {
    let isPrinted = console.print(text)
    if !isPrinted { steps.finish(throwing: OutputFailed()) }
    return isPrinted
  }

  /// Reads pairs until the input ends.
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
