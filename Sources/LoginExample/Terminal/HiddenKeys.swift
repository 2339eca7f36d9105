import Foundation

/// Hides what the user types, until ``restore()`` or a signal ends it.
///
/// The functions run on the main thread, and ``restore()`` in signal handlers too, so it takes no lock and allocates no memory.
enum HiddenKeys {
  nonisolated(unsafe) private static var areHidden = false
  /// The terminal's own settings. Allocated, because Swift 6.3 reserves 57 bytes for a static variable of this type of 60.
  nonisolated(unsafe) private static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)

  /// Does nothing if the input is not a terminal.
  static func hide() {
    if tcgetattr(STDIN_FILENO, saved) != 0 { return }
    areHidden = true
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        HiddenKeys.restore()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    var settings = saved.pointee
    settings.c_lflag &= ~tcflag_t(ECHO)
    settings.c_lflag |= tcflag_t(ECHONL)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  /// Restores the terminal's own settings. Idempotent.
  static func restore() {
    if areHidden { tcsetattr(STDIN_FILENO, TCSANOW, saved) }
    areHidden = false
  }
}
