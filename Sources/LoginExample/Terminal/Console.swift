import Foundation

/// The standard streams of the process, or the files and pipes of a test. The console does not buffer its output.
@MainActor
final class Console {
  /// Whether the input and the output are both terminals.
  let isTerminal: Bool
  private let (input, output, errors): (FileHandle, FileHandle, FileHandle)
  private var unread: ArraySlice<UInt8> = []

  init(input: FileHandle = .standardInput, output: FileHandle = .standardOutput, errors: FileHandle = .standardError) {
    (self.input, self.output, self.errors) = (input, output, errors)
    isTerminal = isatty(input.fileDescriptor) == 1 && isatty(output.fileDescriptor) == 1
  }

  /// Waits for a line, and returns it without its line end (LF or CR LF), or nil at the end of the input. Replaces invalid UTF-8.
  func readLine() throws(Failure) -> String? {
    var line: [UInt8] = []
    while true {
      if unread.isEmpty { unread = try read() }
      if unread.isEmpty { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      let part = unread.prefix { $0 != UInt8(ascii: "\n") }
      line += part
      unread = unread[part.endIndex...]
      guard unread.popFirst() != nil else { continue }
      return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...], as: UTF8.self)
    }
  }

  /// Writes all of `text`. Ends the program if the write fails.
  func print(_ text: String) {
    do { try output.write(contentsOf: Data(text.utf8)) } catch { leave(with: .inputOutputError) }
  }

  /// Writes a message to standard error. Ignores a write that fails.
  func report(_ message: String) { try? errors.write(contentsOf: Data(message.utf8)) }

  /// Ends the process.
  func leave(with exitCode: ExitCode) -> Never {
    TerminalMode.restore()
    exit(exitCode.rawValue)
  }

  private func read() throws(Failure) -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(input.fileDescriptor, &bytes, bytes.count)
    if count >= 0 { return bytes[..<count] }
    let reason = String(cString: strerror(errno))
    throw Failure(exitCode: .inputOutputError, message: "can't read the input: \(reason)")
  }
}

extension String {
  /// The text, with a replacement character in place of each scalar that controls a terminal or ends a line.
  var printable: String {
    let steering: [Unicode.GeneralCategory] = [.control, .lineSeparator, .paragraphSeparator]
    return String(
      UnicodeScalarView(unicodeScalars.map { steering.contains($0.properties.generalCategory) ? "\u{FFFD}" : $0 }))
  }
}
