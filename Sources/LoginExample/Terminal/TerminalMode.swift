import Foundation

/// The settings of the terminal while the program hides keys or shows the form. They end with the program, also at a signal.
///
/// The functions run on the main thread, and ``restore()`` in signal handlers too, so it takes no lock and allocates no memory.
enum TerminalMode {
  /// Keys arrive one by one and are not shown. The form uses the alternate screen, which hides the previous one.
  case form
  /// Input arrives line by line, and keys are not shown.
  case hiddenKeys

  private static let beginOfForm: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h"
  private static let endOfForm: StaticString = "\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"
  /// Nil while the terminal has its own settings.
  nonisolated(unsafe) private static var mode: TerminalMode?
  /// The terminal's own settings. Allocated, because Swift 6.3 reserves 57 bytes for a static variable of this type of 60.
  nonisolated(unsafe) private static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)

  /// Changes the settings. Returns false if the input is not a terminal.
  static func take(_ mode: TerminalMode) -> Bool {
    if tcgetattr(STDIN_FILENO, saved) != 0 { return false }
    self.mode = mode
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        TerminalMode.restore()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    var settings = saved.pointee
    switch mode {
    case .form:
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
      settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
    case .hiddenKeys:
      settings.c_lflag &= ~tcflag_t(ECHO)
      settings.c_lflag |= tcflag_t(ECHONL)
    }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    if mode == .form { write(beginOfForm) }
    return true
  }

  /// Restores the terminal's own settings. Idempotent.
  static func restore() {
    guard let mode else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, saved)
    if mode == .form { write(endOfForm) }
    self.mode = nil
  }

  private static func write(_ text: StaticString) {
    _ = Foundation.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}
