/// A service without a network, which takes its time, and knows one user and one way to fail.
///
/// `admin` with the password `admin` gets a token. `error` with the password `error` meets an unexpected error. Every
/// other pair is a wrong username or password.
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
