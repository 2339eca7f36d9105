/// The outcome of a sign-in.
nonisolated enum LoginOutcome: Sendable, Equatable {
  case signedIn(username: String)
  case wrongUsernameOrPassword
  case unexpectedError

  /// Makes the outcome of a sign-in that failed with `error`.
  init(_ error: any Error) {
    switch error as? LoginError {
    case .wrongUsernameOrPassword: self = .wrongUsernameOrPassword
    case .unexpected, nil: self = .unexpectedError
    }
  }

  /// Makes the outcome of a successful sign-in, after which the state is `state`.
  init(_ state: LoginViewModel.State) {
    self = .signedIn(username: state.signedInUsername)
  }

  /// The outcome in words.
  var message: String {
    switch self {
    case .signedIn(let username): "Signed in as \(username)"
    case .wrongUsernameOrPassword: "Wrong username or password"
    case .unexpectedError: "Something unexpected came up"
    }
  }
}
