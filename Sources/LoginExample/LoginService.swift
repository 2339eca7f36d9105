/// Signs users in.
protocol LoginService: Sendable {
  /// Returns a token for the user.
  ///
  /// Throws ``LoginError/wrongUsernameOrPassword`` if the service does not know the two. Every other error is one that
  /// nobody expected. When the surrounding task is cancelled it ends early, with a `CancellationError`.
  func login(username: String, password: String) async throws -> String
}
