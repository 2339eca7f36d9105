import Foundation
import Testing

/// The README, with its Swift blocks, which `Interop` compiles as a reader pastes them.
struct Readme {
  static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

  let text: String
  private let blocks: [String]

  init() throws {
    text = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    blocks = text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  func block(containing code: String) throws -> String {
    try #require(blocks.first { $0.contains(code) }, "no block of the README contains \(code)")
  }

  /// Whether the README contains a text, whatever the line numbers in both.
  func contains(_ text: String) -> Bool { Self.withoutLineNumbers(self.text).contains(text) }

  static func withoutLineNumbers(_ text: String) -> String {
    text.replacing(/\.swift:\d+/, with: ".swift")
  }

  /// The declarations of a code, without imports, attributes, comments, blank lines and indentation.
  static func declarations(_ code: String) -> [String] {
    code.components(separatedBy: "\n}\n").map(normalized).filter { !$0.isEmpty }
  }

  static func normalized(_ code: String) -> String {
    let lines = code.replacing("@Test ", with: "").replacing("private ", with: "").split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return lines.filter { line in !line.isEmpty && !["//", "import ", "@testable "].contains { line.hasPrefix($0) } }
      .joined(separator: "\n")
  }
}
