#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The terminal's settings while the form is shown, and before. May be restored from a signal handler.
enum TerminalState {
  private static let begin = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h"
  private static let restoring = "\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

  // Written before the first handler can run, and read by handlers: they may take no lock.
  nonisolated(unsafe) private static var isTaken = false
  nonisolated(unsafe) private static var saved = termios()
  nonisolated(unsafe) private static var restoringBytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)

  /// By their signals' numbers.
  nonisolated(unsafe) private static let previousActions: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
    actions.initialize(repeating: sigaction(), count: 32)
    return actions
  }()

  /// Keys come one by one and unseen, in another screen than the one that was there.
  static func take() {
    tcgetattr(STDIN_FILENO, &saved)
    if restoringBytes.isEmpty {
      let bytes = Array(restoring.utf8)
      restoringBytes = .allocate(capacity: bytes.count)
      _ = restoringBytes.initialize(from: bytes)
    }
    var raw = saved
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    isTaken = true
    _ = begin.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
  }

  /// Everything as it was. Async-signal-safe; idempotent.
  static func restore() {
    if !isTaken { return }
    isTaken = false
    _ = write(STDOUT_FILENO, restoringBytes.baseAddress, restoringBytes.count)
    tcsetattr(STDIN_FILENO, TCSANOW, &saved)
  }

  /// A crash restores the terminal before it takes the course that it had before.
  static func restoreOnCrash() {
    for signal in [SIGABRT, SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGFPE] {
      var action = sigaction()
      let handler: @convention(c) (Int32) -> Void = { signal in
        TerminalState.restore()
        sigaction(signal, TerminalState.previousActions + Int(signal), nil)
        raise(signal)
      }
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
      #else
        action.__sigaction_handler.sa_handler = handler
      #endif
      sigaction(signal, &action, previousActions + Int(signal))
    }
  }
}
