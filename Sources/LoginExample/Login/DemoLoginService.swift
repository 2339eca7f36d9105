/// A simulated service with a latency, one user, and one unexpected error.
///
/// It returns a token for the username `admin` with the password `admin`, throws an unexpected error for `error` with `error`, and rejects
/// every other pair.
struct DemoLoginService: LoginService {
  /// The time that each sign-in takes.
  let latency: Duration

  func login(username: String, password: String) async throws -> String {
    try await Task.sleep(for: latency)
    switch (username, password) {
    case ("admin", "admin"): return "demo-token"
    case ("error", "error"): throw LoginError.unexpected
    default: throw LoginError.wrongUsernameOrPassword
    }
  }
}
