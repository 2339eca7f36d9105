import Foundation

@testable import LoginExample

/// A console whose input is given in advance, and which records its output. It reads and writes files, so it never waits.
@MainActor
struct ScriptedConsole {
  let console: Console
  private let (printed, reported): (FileHandle, FileHandle)

  init(_ input: [UInt8]) throws {
    (printed, reported) = (try Self.file(), try Self.file())
    console = Console(input: try Self.file(input), output: printed, errors: reported)
  }

  init(_ input: String) throws {
    try self.init(Array(input.utf8))
  }

  /// The text on standard output.
  var output: String { text(of: printed) }

  /// The lines on standard output. The last one must end with a line end.
  var lines: [String] {
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    precondition(lines.removeLast().isEmpty, "the last line has no line end")
    return lines
  }

  /// The text on standard error.
  var errors: String { text(of: reported) }

  private func text(of file: FileHandle) -> String {
    guard let end = try? file.offset() else { return "" }
    try? file.seek(toOffset: 0)
    defer { try? file.seek(toOffset: end) }
    return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
  }

  /// Makes a file, and removes its name, so that the file disappears when its handle is closed.
  private static func file(_ bytes: [UInt8] = []) throws -> FileHandle {
    let url = FileManager.default.temporaryDirectory.appending(path: "LoginExampleTests-\(UUID())")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try FileHandle(forUpdating: url)
  }
}
