import Foundation
import Testing

/// The Swift code of the articles is part of the tests, which compile it, and run it unless it needs an Apple framework.
@Suite struct SnippetTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

  private static func files(in folder: String, withExtension ending: String) throws -> [String] {
    let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return try (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == ending }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// Removes the indentation, which differs between an article and a test.
  private static func normalized(_ code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }

  private static func snippets(of text: String) -> [String] {
    text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  @Test func everySnippetIsCompiledByATest() throws {
    let tests = try Self.files(in: "Tests", withExtension: "swift").map(Self.normalized)
    let articles = try Self.files(in: "Sources", withExtension: "md")
    let snippets = articles.flatMap(Self.snippets)
    #expect(snippets.count >= 10)
    for snippet in snippets {
      let code = Self.normalized(snippet)
      #expect(tests.contains { $0.contains(code) }, "no test contains this snippet: \(snippet)")
    }
  }

  // CONTRIBUTING shows the two ways to make an operator by code of the library.
  @Test func theTemplatesOfOperatorsStandInTheLibrary() throws {
    let sources = try Self.files(in: "Sources/RxViewModel", withExtension: "swift").map(Self.normalized)
    let text = try String(contentsOf: Self.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
    let templates = Self.snippets(of: text)
    #expect(templates.count == 3)
    for template in templates {
      let code = Self.normalized(template)
      #expect(sources.contains { $0.contains(code) }, "no source contains this template: \(template)")
    }
  }
}
