import Testing

@testable import LoginExample

@Suite(.hangLimit) struct DemoLoginServiceTests {
  private let service = DemoLoginService(latency: .zero)

  // admin/admin gives a token.
  @Test func admin() async throws {
    #expect(try await service.login(username: "admin", password: "admin") == "demo-token")
  }

  // error/error throws an unexpected error.
  @Test func error() async {
    await #expect(throws: LoginError.unexpected) {
      try await service.login(username: "error", password: "error")
    }
  }

  // Else a wrong-username-or-password error.
  @Test(arguments: [
    ("admin", "error"), ("error", "admin"), ("admin", ""), ("", ""), ("Admin", "admin"), ("admin", "admin "),
    ("admin\0", "admin"), ("\u{FEFF}admin", "admin"),
  ])
  func everybodyElse(username: String, password: String) async {
    await #expect(throws: LoginError.wrongUsernameOrPassword) {
      try await service.login(username: username, password: password)
    }
  }

  // LoginService: when the surrounding task is cancelled it ends early, also within the longest latency of the options.
  @Test func cancellation() async {
    let service = DemoLoginService(latency: .milliseconds(Int64.max))
    let login = Task { try await service.login(username: "admin", password: "admin") }
    login.cancel()
    await #expect(throws: CancellationError.self) { try await login.value }
  }
}
