/// The program between its arguments and its exit code: chooses the service, makes the view model, shows a view.
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
    return await LineView(viewModel: viewModel, console: console, format: options.format).run()
  }
}
