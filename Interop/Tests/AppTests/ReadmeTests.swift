import Foundation
import Testing

/// The README's code compiles as a reader pastes it: each of its Swift blocks is a file of this package.
///
/// The block on UIKit is the beginning of a function in `LoginViewController`. The second diff makes `LoginFeature` of `LoginViewModel`.
///
/// The class of the first block has the line of the diff, with which its test passes. `CitySearchTests` of the repository's tests shows that
/// it fails without the line.
struct ReadmeTests {
  private let package = URL(filePath: #filePath).appending(path: "../../..").standardized
  private let readme: String

  init() throws { readme = try String(contentsOf: package.appending(path: "../README.md"), encoding: .utf8) }

  @Test func eachBlockIsAFile() throws {
    var blocks = readme.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    let fix = readme.components(separatedBy: "```diff\n+")[1].prefix { $0 != "\n" }
    blocks[0] = blocks[0].dropLast(2) + fix + "\n}\n"

    let folders = ["Sources/App/Readme", "Tests/AppTests/Readme"].map { package.appending(path: $0) }
    let files = try folders.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    let code = try Set(files.map { try String(contentsOf: $0, encoding: .utf8) })
    let controller = package.appending(path: "Sources/App/LoginViewController.swift")
    let screen = try String(contentsOf: controller, encoding: .utf8)
    let parts = blocks.filter { screen.contains($0) }
    #expect(parts.count == 1)
    #expect(Set(blocks).subtracting(parts) == code)
  }

  @Test func theSecondDiffMakesAFeatureOfTheClass() throws {
    let folder = package.appending(path: "Sources/App")
    let file = try String(contentsOf: folder.appending(path: "Readme/LoginViewModel.swift"), encoding: .utf8)
    var code = try String(file[#require(file.firstRange(of: "final class")).lowerBound...])
    let diff = readme.components(separatedBy: "```diff\n")[2].components(separatedBy: "```")[0]
    for change in diff.components(separatedBy: "@@\n") {
      let lines = change.components(separatedBy: "\n")
      func text(_ sign: String) -> String {
        lines.filter { $0.hasPrefix(sign) }.map { $0.dropFirst() + "\n" }.joined()
      }
      code.replaceSubrange(try #require(code.firstRange(of: text("-"))), with: text("+"))
    }
    let feature = try String(contentsOf: folder.appending(path: "LoginFeature.swift"), encoding: .utf8)
    #expect(feature.hasSuffix("import RxViewModel\n\n\(code)"))
  }
}
