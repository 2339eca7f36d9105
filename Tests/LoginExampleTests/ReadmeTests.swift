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

/// `Interop` compiles each Swift block of the README as a reader would paste it. This suite checks that the view model of the README is the
/// example's, and that the test of the README is the one above.
@Suite struct ReadmeTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

  /// The code without imports, comments, blank lines and indentation.
  private static func normalized(_ code: String) -> String {
    let lines = code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    return lines.filter { line in !line.isEmpty && !["//", "import ", "@testable "].contains { line.hasPrefix($0) } }
      .joined(separator: "\n")
  }

  private static func declarations(_ code: String) -> [String] {
    code.components(separatedBy: "\n}\n").map(normalized).filter { !$0.isEmpty }
  }

  @Test func theReadmeShowsTheExampleAndThisTest() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    try #require(blocks.count == 4)
    #expect(readme.count { $0 == "\n" } <= 250)
    let files = try ["Action", "State", "Service", "ViewModel"].map { name in
      try String(
        contentsOf: Self.root.appending(path: "Sources/LoginExample/Login/Login\(name).swift"), encoding: .utf8)
    }
    let example = Self.normalized(files.joined(separator: "\n"))
    let declarations = Self.declarations(blocks[0])
    #expect(declarations.count == 4)
    for declaration in declarations { #expect(example.contains(declaration), "differs: \(declaration)") }
    let own = Self.normalized(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
    for declaration in Self.declarations(blocks[3]) { #expect(own.contains(declaration), "differs: \(declaration)") }
  }

  // The lines of the first screen are indented, because they do not compile alone.
  @Test func theFirstLinesAreOnesThatTheTestsRun() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let opening = readme.components(separatedBy: "## Try it")[0].split(separator: "\n")
    let lines = opening.filter { $0.hasPrefix("    ") }.map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.count == 3)
    let files = [
      "Tests/RxViewModelTests/Documentation/SearchScreenSnippets", "Sources/LoginExample/Login/LoginViewModel",
      "Tests/LoginExampleTests/ReadmeTests",
    ]
    let code = try files.map { try String(contentsOf: Self.root.appending(path: $0 + ".swift"), encoding: .utf8) }
    for line in lines { #expect(code.contains { $0.contains("\n    \(line)\n") }, "no test runs this line: \(line)") }
  }
}
