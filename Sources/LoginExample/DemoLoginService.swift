/// A simulated service with a latency, one user, and one unexpected error.
///
/// `admin` with the password `admin` gets a token. `error` with the password `error` causes an unexpected error. Every other pair is a
/// wrong username or password.
struct DemoLoginService: LoginService {
  /// How long each sign-in takes.
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
