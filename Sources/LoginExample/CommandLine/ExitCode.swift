/// The exit codes of the program.
enum ExitCode: Int32, Sendable {
  /// The last sign-in succeeded.
  case success = 0
  /// The last pair was a wrong username or password, or one with which the button stays disabled.
  case wrong = 1
  /// The last sign-in met an unexpected error.
  case unexpectedError = 2
  /// The options can't be understood.
  case badUsage = 64
  /// The input ends inside a pair, or holds none; or the user leaves the form without a sign-in, or with the last one
  /// unfinished.
  case incompleteInput = 65
  /// The output can't be written any more.
  case outputFailed = 74

  init(_ outcome: LoginOutcome) {
    switch outcome {
    case .signedIn: self = .success
    case .wrongUsernameOrPassword: self = .wrong
    case .unexpectedError: self = .unexpectedError
    }
  }
}
