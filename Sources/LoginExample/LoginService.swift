/// Signs users in.
protocol LoginService: Sendable {
  /// Returns a token for the user.
  ///
  /// Throws ``LoginError/wrongUsernameOrPassword`` if the service does not know this username with this password. Any
  /// other error is an unexpected one. If the surrounding task is cancelled, this ends early with a
  /// `CancellationError`.
  func login(username: String, password: String) async throws -> String
}
