import Foundation
import Testing

/// The Swift code in the articles stands in the tests too, where it is compiled (and, but for what needs an Apple framework, run).
@Suite struct SnippetTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

  private static func files(in folder: String, withExtension ending: String) throws -> [String] {
    let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return try (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == ending }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// Without indentation, which depends on where the code stands.
  private static func normalized(_ code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }

  @Test func everySnippetIsCompiledByATest() throws {
    let tests = try Self.files(in: "Tests", withExtension: "swift").map(Self.normalized)
    let articles = try Self.files(in: "Sources", withExtension: "md")
    let snippets = articles.flatMap { article in
      article.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }
    #expect(snippets.count >= 10)
    for snippet in snippets {
      let code = Self.normalized(snippet)
      #expect(tests.contains { $0.contains(code) }, "in no test: \(snippet)")
    }
  }
}
