/// The state of the login screen.
struct LoginState: Sendable, Equatable {
  var username = ""
  var password = ""
  /// The token that the service returned for this username and this password. Nil once the user types something else.
  var token: String?
  /// The name of the user who signed in last, even if the text of the field has changed since. Empty before the first
  /// sign-in.
  var signedInUsername = ""

  /// Whether the `Sign in` button is enabled.
  ///
  /// Counts characters as Swift does: an emoji, or a letter with its accent, is one.
  var isLoginEnabled: Bool {
    username.count > 4 && password.count > 2
  }
}
