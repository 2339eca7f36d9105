import Foundation
import RxViewModel

/// The exit codes of the program, which ``usage`` explains.
enum ExitCode: Int32 {
  case success, wrong, unexpectedError
  case badUsage = 64
  case incompleteInput = 65
  case inputOutputError = 74
}

/// An error that ends the program with an exit code and a message on standard error.
struct Failure: Error, Equatable {
  let exitCode: ExitCode
  let message: String
}

/// The program's options.
struct Options {
  private(set) var wantsHelp = false
  private(set) var latency = Duration.milliseconds(1000)

  /// Parses the arguments, which do not include the program's name. If an option occurs twice, the last one counts.
  init(_ arguments: [String]) throws(Failure) {
    func problem(_ text: String) -> Failure {
      Failure(exitCode: .badUsage, message: "\(text.printable)\n\n\(usage)")
    }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--latency":
        guard let number = rest.popFirst().flatMap(Int64.init), number >= 0 else {
          throw problem("--latency needs a number of milliseconds")
        }
        latency = .milliseconds(number)
      default: throw problem("unknown option: \(argument)")
      }
    }
  }
}

/// Runs the program, and returns its exit code.
@MainActor
func run(_ arguments: [String]) async -> ExitCode {
  do {
    let options = try Options(arguments)
    if options.wantsHelp {
      Console.print(usage + "\n")
      return .success
    }
    let service = DemoLoginService(latency: options.latency)
    return try await LineView(viewModel: LoginViewModel(service: service, scheduler: .main)).run()
  } catch let failure as Failure {
    Console.report("LoginExample: \(failure.message)\n")
    return failure.exitCode
  } catch {
    return .unexpectedError
  }
}

/// The text that `--help` prints.
let usage = """
  Usage: LoginExample [--latency MILLISECONDS] [--help]

  Reads pairs of lines, a username and a password. For each pair it prints whether the button is enabled, if that has
  changed, and, if it is, the result of the sign-in. On a terminal it prompts for the lines, and ends after a success.

  admin with the password admin signs in; error with the password error meets an unexpected error.

    --latency MILLISECONDS  the time that a sign-in takes, a whole number; 1000 by default
    -h, --help              print this text

  Exit code:
     0  the last sign-in succeeded
     1  the last sign-in had a wrong username or password, or the button was disabled
     2  the last sign-in met an unexpected error
    64  the options are invalid
    65  the input ends inside a pair or holds no pair
    74  the input can't be read, or the output can't be written
  """
