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

  /// Waits for a line, and returns it without its line end (LF or CR LF), or nil at the end of the input. Replaces invalid UTF-8. Drops
  /// the part of a line that exceeds the limit, so that an endless line does not exhaust memory.
  func readLine(limit: Int = 16 << 20) throws(Failure) -> String? {
    var line: [UInt8] = []
    while true {
      if unread.isEmpty { unread = try read() }
      if unread.isEmpty { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      let part = unread.prefix { $0 != UInt8(ascii: "\n") }
      line += part.prefix(limit - line.count)
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
    while true {
      let count = Foundation.read(input.fileDescriptor, &bytes, bytes.count)
      if count >= 0 { return bytes[..<count] }
      if errno != EINTR && errno != EAGAIN {
        let reason = String(cString: strerror(errno))
        throw Failure(exitCode: .inputOutputError, message: "can't read the input: \(reason)")
      }
      var poller = pollfd(fd: input.fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&poller, 1, -1)
    }
  }
}

extension String {
  /// The text, with a replacement character in place of each scalar that controls a terminal or ends a line.
  var printable: String {
    String(UnicodeScalarView(unicodeScalars.map { $0.isSteering ? "\u{FFFD}" : $0 }))
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a control character or ends a line.
  var isSteering: Bool {
    [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
  }
}
