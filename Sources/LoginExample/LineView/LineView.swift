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
    do {
      var steps = LineViewSteps(subscribe(subscriptions))
      return try await signInPairs(&steps)
    } catch is OutputFailed {
      return .outputFailed
    } catch {
      return .unexpectedError
    }
  }

  /// Starts to print, and returns the steps.
  ///
  /// Subscribers are called in the order in which they subscribed. So what is to be printed of an event has been, when
  /// the step comes that the same event leads to.
  private func subscribe(_ subscriptions: DisposeBag) -> AsyncThrowingStream<LineViewStep, any Error> {
    let (steps, continuation) = AsyncThrowingStream.makeStream(of: LineViewStep.self)
    format.lines(of: viewModel)
      .subscribe(onNext: { [console] line in
        if !console.print(line + "\n") { continuation.finish(throwing: OutputFailed()) }
      })
      .disposed(by: subscriptions)
    viewModel.lineViewSteps
      .subscribe(onNext: { continuation.yield($0) }, onCompleted: { continuation.finish() })
      .disposed(by: subscriptions)
    return steps
  }

  /// Takes pairs from the input to its end.
  private func signInPairs(_ steps: inout LineViewSteps) async throws -> ExitCode {
    let input = LineInput(console, hasPrompts: console.isInteractive && format == .text)
    var exitCode: ExitCode?
    while let username = await input.ask("Username: ") {
      guard let password = await input.ask("Password: ", hidingKeys: true) else {
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
