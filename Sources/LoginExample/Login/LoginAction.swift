/// An action of the user on the login screen.
enum LoginAction: Sendable, Equatable {
  /// The username field now holds this text.
  case setUsername(String)
  /// The password field now holds this text.
  case setPassword(String)
  /// The user signs in with the text of the two fields.
  case login
}
