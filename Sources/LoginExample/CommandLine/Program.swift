/// The program from its arguments to its exit code: chooses the service, makes the view model, and shows a view.
enum Program {
  static func run(_ arguments: [String], on console: any Console) async -> ExitCode {
    let options: Options
    do {
      options = try Options(arguments)
    } catch {
      console.report("LoginExample: \(error.message)\n\n\(usage)")
      return .badUsage
    }
    if options.wantsHelp {
      return console.print(usage) ? .success : .outputFailed
    }
    let viewModel = LoginViewModel(service: DemoLoginService(latency: options.latency))
    if options.format == .text, let screen = await TerminalScreen(console) {
      return await show(viewModel, on: screen, console)
    }
    return await LineView(viewModel: viewModel, console: console, format: options.format).run()
  }

  /// Shows the form, and prints the outcome of the last sign-in after the form has closed.
  @MainActor
  private static func show(
    _ viewModel: LoginViewModel, on screen: TerminalScreen, _ console: any Console
  ) async -> ExitCode {
    let view = FormView(viewModel: viewModel, screen: screen)
    let exitCode = await screen.take { await view.run() }
    if let outcome = view.outcome, !console.print(outcome.message + "\n") { return .outputFailed }
    return exitCode
  }
}
