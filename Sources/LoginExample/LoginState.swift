/// All that there is to know about the login screen at one moment.
struct LoginState: Sendable, Equatable {
  var username = ""
  var password = ""
  /// What the service gave for this username and this password; nil once something else is typed.
  var token: String?
  /// Who signed in last, whatever has been typed since; empty if nobody has.
  var signedInUsername = ""

  /// Whether the `Sign in` button can be pressed.
  ///
  /// Characters are counted as a person counts them: an emoji, or a letter with its accent, is one.
  var isLoginEnabled: Bool {
    username.count > 4 && password.count > 2
  }
}
