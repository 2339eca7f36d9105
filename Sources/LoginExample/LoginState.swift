/// Everything that the login screen shows, or has to know, at one moment.
struct LoginState: Sendable, Equatable {
  var username = ""
  var password = ""
  /// The token that the service returned for this username and this password. Nil once the user types something else.
  var token: String?
  /// The name of the user who signed in last, whatever has been typed since. Empty before the first sign-in.
  var signedInUsername = ""

  /// Whether the `Sign in` button can be pressed.
  ///
  /// Characters are counted as a person counts them: an emoji, or a letter with its accent, is one.
  var isLoginEnabled: Bool {
    username.count > 4 && password.count > 2
  }
}
