import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import LoginExample

// MARK: The test in the README, word for word

private struct NoService: LoginService {
  func login(username: String, password: String) async throws -> String { "token" }
}

@Test func typingEnablesTheButton() throws {
  let scheduler = TestScheduler()
  try withTestStore(LoginViewModel(service: NoService(), scheduler: scheduler)) { store in
    try store.send(.setUsername("admin")) { $0.username = "admin" }
    #expect(!store.state.isLoginEnabled)
    try store.send(.setPassword("admin")) { $0.password = "admin" }
    #expect(store.state.isLoginEnabled)
  }
}

// MARK: The README

/// `Interop` compiles each Swift block of the README as a reader would paste it. This suite checks that its screen is the one in
/// LoginExample, and that its tests are those that run here.
@Suite struct ReadmeTests {
  @Test(arguments: [
    (block: "class LoginViewModel", files: "Sources/LoginExample/Login"),
    (block: "func typingEnablesTheButton", files: "Tests/LoginExampleTests/Readme"),
    (block: "class CitySearch", files: "Tests/LoginExampleTests/Readme"),
    (block: "func resultsBelongToTheText", files: "Tests/LoginExampleTests/Readme"),
    (block: "struct Login: Feature", files: "Tests/LoginExampleTests/Readme"),
  ])
  func theCodeOfTheReadmeRuns(block: String, files: String) throws {
    let folder = Readme.root.appending(path: files)
    let sources = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .map { Readme.normalized(try String(contentsOf: $0, encoding: .utf8)) }
    for declaration in Readme.declarations(try Readme().block(containing: block)) {
      #expect(sources.contains { $0.contains(declaration) }, "differs: \(declaration)")
    }
  }
}
