/// Signs users in.
nonisolated protocol LoginService: Sendable {
  /// Returns a token for the user.
  ///
  /// Throws ``LoginError/wrongUsernameOrPassword`` if the service does not accept the username with the password. Any other
  /// error is unexpected. If the calling task is cancelled, the call ends early with a `CancellationError`.
  func login(username: String, password: String) async throws -> String
}

/// The reason why a sign-in failed.
enum LoginError: Error, Equatable {
  case wrongUsernameOrPassword
  /// The service itself failed.
  case unexpected
}
