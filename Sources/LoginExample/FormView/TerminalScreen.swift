import Dispatch

/// The terminal at standard input and output.
@MainActor
final class TerminalScreen: FormScreen {
  let hasColor: Bool
  let inputs: AsyncStream<FormInput>
  private let console: any Console
  private let continuation: AsyncStream<FormInput>.Continuation

  /// How long after an escape byte the rest of a sequence may come.
  nonisolated private static let escapeDelay: Int32 = 50

  /// A terminal that can be drawn on; nil if it can only be written to, line by line.
  init?(_ console: any Console) {
    let environment = console.environment
    guard console.isInteractive, let kind = environment["TERM"], !["", "dumb"].contains(kind) else { return nil }
    hasColor = environment["NO_COLOR", default: ""].isEmpty
    self.console = console
    (inputs, continuation) = AsyncStream.makeStream()
  }

  /// Takes the terminal for the time of `body`, and gives it back on every way out.
  func take(_ body: () async -> ExitCode) async -> ExitCode {
    let signals = SignalPipe.open()
    guard TerminalState.take(.form) else { return .outputFailed }
    defer { TerminalState.restore() }
    readKeys(signals)
    return await body()
  }

  var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Overwrites line by line, in one write, and has the terminal show all at once if it can.
  ///
  /// A line is erased before it is written: after one that fills the window the cursor may stand on its last character.
  func draw(_ lines: [String]) {
    let above = lines.dropLast().map { "\u{1B}[K\($0)\r\n" }.joined()
    let frame = "\u{1B}[H\(above)\u{1B}[J\(lines.last ?? "")"
    if !console.print("\u{1B}[?2026h\(frame)\u{1B}[?2026l") { continuation.yield(.outputFailed) }
  }

  func suspend() {
    if !TerminalState.suspend() { continuation.yield(.end) }
  }

  /// On a thread of its own, to the end of the input. Signals are read there too.
  private func readKeys(_ signals: Int32) {
    DispatchQueue(label: "keys").async { [self, continuation] in
      var parser = KeyParser()
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        var pollers = [STDIN_FILENO, signals].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let ready = poll(&pollers, 2, parser.isUndecided ? Self.escapeDelay : -1)
        var keys: [Key] = []
        if ready > 0, pollers[1].revents != 0 {
          let count = read(signals, &buffer, buffer.count)
          for signal in buffer.prefix(max(0, count)) { react(to: Int32(signal)) }
          continue
        }
        if ready == 0 {
          keys = parser.flush()
        } else if ready > 0 {
          // In the background the main thread is about to stop the job; what is typed is for another.
          if !TerminalState.isInForeground { continue }
          let count = read(STDIN_FILENO, &buffer, buffer.count)
          if count > 0 {
            keys = parser.parse(buffer[..<count])
          } else if count == 0 || errno != EINTR && errno != EAGAIN {
            continuation.yield(.end)
            return
          }
        } else if errno != EINTR {
          continuation.yield(.end)
          return
        }
        if !keys.isEmpty { continuation.yield(.keys(keys)) }
      }
    }
  }

  nonisolated private func react(to signal: Int32) {
    switch signal {
    case SIGWINCH: continuation.yield(.redraw)
    case SIGTSTP: continuation.yield(.keys([.suspend]))
    case SIGCONT:
      // Stopped by another than Ctrl-Z.
      Task { @MainActor in
        continuation.yield(TerminalState.resume() ? .redraw : .end)
      }
    default: continuation.yield(.end)
    }
  }
}
