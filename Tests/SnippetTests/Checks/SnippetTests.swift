import Foundation
import Testing

/// The Swift code of the articles is part of the tests, which compile it, and run it unless it needs an Apple framework.
struct SnippetTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

  private static func files(in folder: String, withExtension ending: String) throws -> [String] {
    let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return try (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == ending }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// The lines of several files, without blank lines, and without the indentation, which differs between an article and a test.
  private struct Lines {
    private let all: [Substring]
    /// The numbers of the lines with a given text.
    private let numbers: [Substring: [Int]]

    init(_ files: [String]) {
      all = files.flatMap(SnippetTests.lines)
      numbers = Dictionary(grouping: all.indices, by: { [all] in all[$0] })
    }

    func contain(_ snippet: String) -> Bool {
      let lines = SnippetTests.lines(of: snippet)
      return numbers[lines[0], default: []].contains { all[$0...].starts(with: lines) }
    }
  }

  private static func lines(of code: String) -> [Substring] {
    code.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
  }

  private static func snippets(of text: String) -> [String] {
    text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  // The package Interop compiles the examples of the articles on SwiftUI and UIKit, and runs their tests.
  @Test func everySnippetIsCompiledByATest() throws {
    let folders = ["Tests", "Examples/Sources", "Examples/Tests"]
    let tests = try Lines(folders.flatMap { try Self.files(in: $0, withExtension: "swift") })
    let articles = try Self.files(in: "Sources", withExtension: "md")
    let snippets = articles.flatMap(Self.snippets)
    #expect(snippets.count >= 10)
    for snippet in snippets { #expect(tests.contain(snippet), "no test contains this snippet: \(snippet)") }
  }

  // The last column of the table has the code for the operators of RxSwift that this library does not have.
  @Test func theLinesOfTheTableOfOperatorsAreCompiledByATest() throws {
    let article = try String(
      contentsOf: Self.root.appending(path: "Sources/RxViewModel/RxViewModel.docc/ComingFromRxSwift.md"),
      encoding: .utf8)
    let snippets = try String(
      contentsOf: Self.root.appending(path: "Tests/SnippetTests/ComingFromRxSwiftSnippets.swift"),
      encoding: .utf8)
    let rows = article.components(separatedBy: "## Operators that you write yourself\n")[1]
      .components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(rows.count >= 30)
    for row in rows {
      let codes = row.drop { $0 == "|" }.drop { $0 != "|" }.matches(of: /`([^`]+)`/).map { $0.1 }
        .filter { $0.contains("(") || $0.contains("{") }
      #expect(!codes.isEmpty, "no code: \(row)")
      for code in codes { #expect(snippets.contains(code), "no test contains this code: \(code)") }
    }
  }

  // CONTRIBUTING shows the five templates by code of the library.
  @Test func theTemplatesOfOperatorsStandInTheLibrary() throws {
    let sources = try Lines(Self.files(in: "Sources/RxViewModel", withExtension: "swift"))
    let text = try String(contentsOf: Self.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
    let templates = Self.snippets(of: text)
    #expect(templates.count == 5)
    for template in templates { #expect(sources.contain(template), "no source contains this template: \(template)") }
  }
}
