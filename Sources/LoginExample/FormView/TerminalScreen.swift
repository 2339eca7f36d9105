import Dispatch

/// The terminal at standard input and output.
@MainActor
final class TerminalScreen: FormScreen {
  let hasColor: Bool
  let inputs: AsyncStream<FormInput>
  private let console: any Console
  private let continuation: AsyncStream<FormInput>.Continuation

  /// The time in milliseconds within which the rest of a sequence must follow its escape byte.
  nonisolated private static let escapeDelay: Int32 = 50

  /// Makes the screen of a terminal that supports drawing. Returns nil for one that can only print line by line.
  init?(_ console: any Console) {
    let environment = console.environment
    guard console.isInteractive, let kind = environment["TERM"], !["", "dumb"].contains(kind) else { return nil }
    hasColor = environment["NO_COLOR", default: ""].isEmpty
    self.console = console
    (inputs, continuation) = AsyncStream.makeStream()
  }

  /// Takes the terminal while `body` runs, and restores it however `body` ends.
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

  /// Overwrites the screen line by line, in one write. A terminal that can do so shows all lines at once.
  ///
  /// Erases a line before writing it, because after a line that fills the window the cursor may be on its last
  /// character.
  func draw(_ lines: [String]) {
    let above = lines.dropLast().map { "\u{1B}[K\($0)\r\n" }.joined()
    let frame = "\u{1B}[H\(above)\u{1B}[J\(lines.last ?? "")"
    if !console.print("\u{1B}[?2026h\(frame)\u{1B}[?2026l") { continuation.yield(.outputFailed) }
  }

  func suspend() {
    if !TerminalState.suspend() { continuation.yield(.end) }
  }

  /// Reads keys and signals on a thread of its own, until the input ends.
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
          // The job is in the background, and the main thread is about to stop it. The keys belong to another job.
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
      // The job continues after a stop that did not come from Ctrl-Z.
      Task { @MainActor in
        continuation.yield(TerminalState.resume() ? .redraw : .end)
      }
    default: continuation.yield(.end)
    }
  }
}
