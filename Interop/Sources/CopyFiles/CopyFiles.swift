import Foundation

/// Copies files into a folder: `CopyFiles FOLDER FILE...`
@main
enum CopyFiles {
  static func main() throws {
    let paths = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
    for file in paths.dropFirst() {
      try Data(contentsOf: file).write(to: paths[0].appending(path: file.lastPathComponent))
    }
  }
}
