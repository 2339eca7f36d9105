// `@preconcurrency` because C declares `stdin` as a variable. The program doesn't change it.
@preconcurrency import Foundation

/// The standard streams of the process. The output is not buffered.
enum Console {
  /// Whether the input and the output are both terminals.
  static let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1

  /// Waits for a line, and returns it without its line end (LF or CR LF), or nil at the end of the input. Replaces invalid UTF-8.
  static func readLine() throws(Failure) -> String? {
    let line = Swift.readLine()
    if line == nil, ferror(stdin) != 0 {
      throw Failure(exitCode: .inputOutputError, message: "can't read the input: \(String(cString: strerror(errno)))")
    }
    return line
  }

  /// Writes all of `text`. Ends the program if the write fails.
  static func print(_ text: String) {
    do { try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) } catch { leave(with: .inputOutputError) }
  }

  /// Writes a message to standard error. Ignores a write that fails.
  static func report(_ message: String) { try? FileHandle.standardError.write(contentsOf: Data(message.utf8)) }

  /// Ends the process.
  static func leave(with exitCode: ExitCode) -> Never {
    HiddenKeys.restore()
    exit(exitCode.rawValue)
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
