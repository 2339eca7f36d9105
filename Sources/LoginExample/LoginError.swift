/// The reason why a sign-in failed.
enum LoginError: Error, Equatable {
  case wrongUsernameOrPassword
  /// The service itself failed.
  case unexpected
}
