/// Signals as bytes, for a thread that waits: a handler may do little more than write one.
enum SignalPipe {
  // Written before the first handler can run.
  nonisolated(unsafe) private static var files: (reading: Int32, writing: Int32) = (-1, -1)

  /// Opens it if it is not open. Returns the file to read from.
  static func open() -> Int32 {
    if files.reading < 0 {
      var ends: [Int32] = [-1, -1]
      _ = pipe(&ends)
      files = (ends[0], ends[1])
      // A handler never waits: of more signals than anybody reads the last are as good as the first.
      _ = fcntl(files.writing, F_SETFL, O_NONBLOCK)
    }
    return files.reading
  }

  /// A signal's handler.
  static let note: TerminalMode.Handler = { signal in
    let error = errno
    var byte = UInt8(signal)
    _ = write(files.writing, &byte, 1)
    errno = error
  }
}
