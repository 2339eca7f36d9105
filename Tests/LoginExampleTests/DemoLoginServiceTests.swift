import Testing

@testable import LoginExample

@Suite(.hangLimit) struct DemoLoginServiceTests {
  private let service = DemoLoginService(latency: .zero)

  @Test func admin() async throws {
    #expect(try await service.login(username: "admin", password: "admin") == "demo-token")
  }

  @Test func error() async {
    await #expect(throws: LoginError.unexpected) {
      try await service.login(username: "error", password: "error")
    }
  }

  @Test(arguments: [
    ("admin", "error"), ("error", "admin"), ("admin", ""), ("", ""), ("Admin", "admin"), ("admin", "admin "),
    ("admin\0", "admin"), ("\u{FEFF}admin", "admin"),
  ])
  func anyOtherPairIsWrong(username: String, password: String) async {
    await #expect(throws: LoginError.wrongUsernameOrPassword) {
      try await service.login(username: username, password: password)
    }
  }

  // If the calling task is cancelled, the call ends early, even with the longest latency that the options allow.
  @Test func cancellation() async {
    let service = DemoLoginService(latency: .milliseconds(Int64.max))
    let login = Task { try await service.login(username: "admin", password: "admin") }
    login.cancel()
    await #expect(throws: CancellationError.self) { try await login.value }
  }
}
