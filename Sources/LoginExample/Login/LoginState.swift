/// The state of the login screen.
struct LoginState: Sendable, Equatable {
  var username = ""
  var password = ""
  /// The token that the service returned for the username and the password. Nil after the user has changed either.
  var token: String?
  /// The name of the user who signed in last, even if the user has changed the field since. Empty before the first sign-in.
  var signedInUsername = ""

  /// Whether the `Sign in` button is enabled.
  ///
  /// Counts characters as Swift does: an emoji is one character, and so is a letter with its accent.
  var isLoginEnabled: Bool {
    username.count > 4 && password.count > 2
  }
}
