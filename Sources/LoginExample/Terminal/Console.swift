import Foundation

/// The standard streams of the process, or the files and pipes of a test. The output is not buffered.
@MainActor
final class Console {
  /// Whether the input and the output are both terminals.
  let isTerminal: Bool
  nonisolated(unsafe) private let input: UnsafeMutablePointer<FILE>
  private let (output, errors): (FileHandle, FileHandle)

  init(input: FileHandle = .standardInput, output: FileHandle = .standardOutput, errors: FileHandle = .standardError) {
    guard let lines = fdopen(dup(input.fileDescriptor), "r") else { preconditionFailure("the input is closed") }
    (self.input, self.output, self.errors) = (lines, output, errors)
    isTerminal = isatty(input.fileDescriptor) == 1 && isatty(output.fileDescriptor) == 1
  }

  deinit { fclose(input) }

  /// Waits for a line, and returns it without its line end (LF or CR LF), or nil at the end of the input. Replaces invalid UTF-8.
  func readLine() throws(Failure) -> String? {
    var (buffer, capacity) = (UnsafeMutablePointer<CChar>?.none, 0)
    defer { free(buffer) }
    let count = getline(&buffer, &capacity, input)
    if ferror(input) != 0 {
      throw Failure(exitCode: .inputOutputError, message: "can't read the input: \(String(cString: strerror(errno)))")
    }
    if count < 0 { return nil }
    var line = UnsafeRawBufferPointer(start: buffer, count: count)[...]
    for end in [UInt8(ascii: "\n"), UInt8(ascii: "\r")] {
      guard line.last == end else { break }
      line.removeLast()
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Writes all of `text`. Ends the program if the write fails.
  func print(_ text: String) {
    do { try output.write(contentsOf: Data(text.utf8)) } catch { leave(with: .inputOutputError) }
  }

  /// Writes a message to standard error. Ignores a write that fails.
  func report(_ message: String) { try? errors.write(contentsOf: Data(message.utf8)) }

  /// Ends the process.
  func leave(with exitCode: ExitCode) -> Never {
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
