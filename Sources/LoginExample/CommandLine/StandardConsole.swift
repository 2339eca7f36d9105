import Foundation

/// The standard input, output and error of the process.
///
/// It does not buffer, so that a pipe gets each line at once.
struct StandardConsole: Console {
  var isInteractive: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  var environment: [String: String] {
    ProcessInfo.processInfo.environment
  }

  /// Reads from standard input. If reading fails, the input counts as ended.
  func readInput() -> [UInt8] {
    let capacity = 64 * 1024
    return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = max(0, transfer(on: STDIN_FILENO, when: POLLIN) { read(STDIN_FILENO, buffer.baseAddress, capacity) })
    }
  }

  func hidingKeys<Result>(_ body: () -> Result) -> Result {
    _ = TerminalState.take(.hiddenKeys)
    defer { TerminalState.restore() }
    return body()
  }

  func print(_ text: String) -> Bool {
    put(text, STDOUT_FILENO)
  }

  func report(_ message: String) {
    _ = put(message, STDERR_FILENO)
  }

  /// Ends the process.
  func leave(with exitCode: ExitCode) -> Never {
    exit(exitCode.rawValue)
  }

  private func put(_ text: String, _ file: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var bytes = UnsafeRawBufferPointer(bytes)
      while let start = bytes.baseAddress, !bytes.isEmpty {
        let written = transfer(on: file, when: POLLOUT) { write(file, start, bytes.count) }
        if written < 0 { return false }
        bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(written))
      }
      return true
    }
  }

  /// Repeats a system call that a signal has interrupted, or that found a non-blocking file not ready.
  private func transfer(on file: Int32, when event: some BinaryInteger, _ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      switch errno {
      case EINTR:
        continue
      case EAGAIN:
        var poller = pollfd(fd: file, events: Int16(event), revents: 0)
        _ = poll(&poller, 1, -1)
      default:
        return result
      }
    }
  }
}
