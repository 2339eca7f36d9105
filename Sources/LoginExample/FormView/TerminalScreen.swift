import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The terminal at standard input and output.
@MainActor
final class TerminalScreen: FormScreen {
  let hasColor: Bool
  let inputs: AsyncStream<FormInput>
  private let console: any Console
  private let continuation: AsyncStream<FormInput>.Continuation
  private var sources: [any DispatchSourceSignal] = []

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
    TerminalState.restoreOnCrash()
    TerminalState.take()
    defer { TerminalState.restore() }
    await watchSignals()
    Self.readKeys(continuation)
    return await body()
  }

  var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Overwrites line by line, in one write, and has the terminal show all at once if it can.
  func draw(_ lines: [String]) {
    let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    if !console.print("\u{1B}[?2026h\u{1B}[H\(text)\u{1B}[J\u{1B}[?2026l") { continuation.yield(.outputFailed) }
  }

  func suspend() {
    TerminalState.restore()
    signal(SIGTSTP, SIG_DFL)
    // The whole job, as the terminal would.
    kill(0, SIGTSTP)
    // Continued.
    signal(SIGTSTP, SIG_IGN)
    TerminalState.take()
  }

  private func watchSignals() async {
    await watch(SIGWINCH) { $0.continuation.yield(.redraw) }
    await watch(SIGINT) { $0.continuation.yield(.end) }
    await watch(SIGTSTP) { $0.continuation.yield(.keys([.suspend])) }
    for deadly in [SIGTERM, SIGHUP] {
      await watch(deadly) { _ in
        TerminalState.restore()
        // Dispatch blocks the signals that it watches.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, deadly)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        signal(deadly, SIG_DFL)
        raise(deadly)
      }
    }
    await watch(SIGCONT, isIgnored: false) { screen in
      // Stopped by another than Ctrl-Z, without a chance to give the terminal back.
      TerminalState.restore()
      TerminalState.take()
      screen.continuation.yield(.redraw)
    }
  }

  /// Reacts on the main actor, from when this returns.
  private func watch(
    _ number: Int32, isIgnored: Bool = true, _ react: @escaping @MainActor @Sendable (TerminalScreen) -> Void
  ) async {
    if isIgnored { signal(number, SIG_IGN) }
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { if let self { react(self) } }
    }
    sources.append(source)
    // One that came before Dispatch listens would be lost.
    await withCheckedContinuation { continuation in
      source.setRegistrationHandler { continuation.resume() }
      source.resume()
    }
  }

  /// On a thread of its own, to the end of the input.
  nonisolated private static func readKeys(_ continuation: AsyncStream<FormInput>.Continuation) {
    DispatchQueue(label: "keys").async {
      var parser = KeyParser()
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        var poller = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let ready = poll(&poller, 1, parser.isUndecided ? escapeDelay : -1)
        var keys: [Key] = []
        if ready == 0 {
          keys = parser.flush()
        } else if ready > 0 {
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
}
