/// What a user does on the login screen.
enum LoginAction: Sendable, Equatable {
  /// The username field now holds this.
  case setUsername(String)
  /// The password field now holds this.
  case setPassword(String)
  /// Sign in with what the two fields hold.
  case login
}
