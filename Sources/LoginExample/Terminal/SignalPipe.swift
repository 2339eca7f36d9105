/// Signals as bytes, for a thread that waits for them. A signal handler may do little more than write a byte.
enum SignalPipe {
  // Set before the first handler can run.
  nonisolated(unsafe) private static var files: (reading: Int32, writing: Int32) = (-1, -1)

  /// Opens the pipe if it is not open. Returns the file to read from.
  static func open() -> Int32 {
    if files.reading < 0 {
      var ends: [Int32] = [-1, -1]
      _ = pipe(&ends)
      files = (ends[0], ends[1])
      // A handler must not wait. If the pipe is full, the handler drops the signal, because those in the pipe have the same effect.
      _ = fcntl(files.writing, F_SETFL, O_NONBLOCK)
    }
    return files.reading
  }

  /// A signal handler, which writes the signal into the pipe.
  static let note: TerminalMode.Handler = { signal in
    let error = errno
    var byte = UInt8(signal)
    _ = write(files.writing, &byte, 1)
    errno = error
  }
}
