import Foundation
import Testing

/// `Interop` compiles and tests each Swift block of the README as a reader would paste it. This suite checks that its screen is the one in
/// LoginExample, and that its search is the one that fails here.
struct ReadmeTests {
  @Test(arguments: [
    (block: "class LoginViewModel", files: "Sources/LoginExample/Login"),
    (block: "class CitySearch", files: "Tests/LoginExampleTests/Readme"),
    (block: "func resultsBelongToTheText", files: "Tests/LoginExampleTests/Readme"),
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
