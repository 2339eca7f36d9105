import Foundation
import PackagePlugin

/// Adds code from elsewhere in the repository to a target of this package.
///
/// A link would be simpler, but a checkout on Windows turns it into a text file.
@main
struct RepositoryCode: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL.deletingLastPathComponent()
    let own = context.pluginWorkDirectoryURL
    let files =
      switch target.name {
      case "App": try readmeCode(root, in: own).filter { !$0.isTest }.map(\.file)
      case "AppTests": try readmeCode(root, in: own).filter(\.isTest).map(\.file)
      case "ArticleTests":
        swiftFiles(in: root.appending(path: "Tests/RxViewModelTests/Documentation"), endingWith: "Snippets.swift")
          + swiftFiles(in: root.appending(path: "Tests/RxViewModelTests/Support"))
      default: swiftFiles(in: root.appending(path: "Sources").appending(path: target.name))
      }
    let copies = own.appending(path: "Copies")
    return [
      .buildCommand(
        displayName: "Copying the code of \(target.name)",
        executable: try context.tool(named: "CopyFiles").url,
        arguments: [copies.path()] + files.map { $0.path() },
        inputFiles: files,
        outputFiles: files.map { copies.appending(path: $0.lastPathComponent) })
    ]
  }

  private func swiftFiles(in folder: URL, endingWith suffix: String = ".swift") -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
    return files.compactMap { $0 as? URL }.filter { $0.lastPathComponent.hasSuffix(suffix) }
      .sorted { $0.path() < $1.path() }
  }

  /// Each Swift block of the README as a file of its own: it has to compile as a reader pastes it. As the README asks, the class of the
  /// first block then gets the line of the diff, with which its test passes. `CitySearchTests` shows that it fails without the line.
  private func readmeCode(_ root: URL, in folder: URL) throws -> [(file: URL, isTest: Bool)] {
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    var blocks = readme.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    let fix = readme.components(separatedBy: "```diff\n+")[1].prefix { $0 != "\n" }
    blocks[0] = blocks[0].dropLast(2) + fix + "\n}\n"
    return try blocks.enumerated().map { number, code in
      let file = folder.appending(path: "Readme\(number + 1).swift")
      // A file that has not changed keeps its date, so that it is not compiled again.
      if (try? String(contentsOf: file, encoding: .utf8)) != code {
        try code.write(to: file, atomically: true, encoding: .utf8)
      }
      return (file, code.contains("import Testing\n"))
    }
  }
}
