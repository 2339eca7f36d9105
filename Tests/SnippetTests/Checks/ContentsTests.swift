import Foundation
import Testing

/// The table of contents in `Documentation`, for readers of the repository, has the pages of the documentation in their groups, and its
/// links lead somewhere. So do those of the other pages that the forge shows.
struct ContentsTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
  private static let catalogue = "Sources/RxViewModel/RxViewModel.docc"

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The headings and the page's file names below them, as lines.
  private static func entries(of text: String, page: some RegexComponent<(Substring, Substring)>) -> [String] {
    text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("#") { return String(line.drop { "# ".contains($0) }) }
      return line.firstMatch(of: page).map { String($0.output.1) }
    }
  }

  @Test func theTwoTablesOfContentsAreOne() throws {
    let topics = try Self.text("\(Self.catalogue)/RxViewModel.md").components(separatedBy: "## Topics\n")[1]
      .components(separatedBy: "### View models\n")[0]
    let contents = try Self.text("Documentation/README.md").components(separatedBy: "\n## ").dropFirst()
      .joined(separator: "\n## ").components(separatedBy: "\n## For contributors")[0]
    let pages = Self.entries(of: topics, page: /- <doc:(\w+)>/)
    #expect(pages.count >= 20)
    #expect(Self.entries(of: "## " + contents, page: /- \[[^\]]+\]\([^)]*\/(\w+)\.md\)/) == pages)
  }

  @Test func thePagesHaveTheirTitlesInTheTableOfContents() throws {
    for link in try Self.text("Documentation/README.md").matches(of: /\[([^\]]+)\]\(\.\.\/(Sources[^)]+)\)/) {
      let title = try Self.text(String(link.output.2)).split(separator: "\n")[0]
      #expect(title == "# \(link.output.1)")
    }
  }

  @Test(arguments: [
    "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "Documentation/README.md",
    "Documentation/Semantics.md", "Examples/README.md", "Benchmarks/README.md",
  ])
  func eachLinkInTheRepositoryLeadsToAFile(page: String) throws {
    let folder = Self.root.appending(path: page).deletingLastPathComponent()
    let links = try Self.text(page).replacing("\n", with: " ").matches(of: /\]\(([^)#\s]+)/).map { $0.output.1 }
      .filter { !$0.hasPrefix("http") }
    for link in links {
      let path = folder.appending(path: String(link)).standardized.path
      #expect(FileManager.default.fileExists(atPath: path), "\(page) links to \(link)")
    }
  }
}
