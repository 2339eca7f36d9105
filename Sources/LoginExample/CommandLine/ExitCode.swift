/// The exit codes of the program.
enum ExitCode: Int32, Sendable {
  /// The last sign-in succeeded.
  case success = 0
  /// The last pair was a wrong username or password, or did not enable the button.
  case wrong = 1
  /// The last sign-in failed with an unexpected error.
  case unexpectedError = 2
  /// The options are invalid.
  case badUsage = 64
  /// The input ended inside a pair, or contained none. Or the user left the form without a sign-in, or before the last one had finished.
  case incompleteInput = 65
  /// Writing the output failed.
  case outputFailed = 74

  init(_ outcome: LoginOutcome) {
    switch outcome {
    case .signedIn: self = .success
    case .wrongUsernameOrPassword: self = .wrong
    case .unexpectedError: self = .unexpectedError
    }
  }
}
