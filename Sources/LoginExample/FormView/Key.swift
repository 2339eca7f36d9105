/// A key that a user presses.
enum Key: Sendable, Equatable {
  /// Printable characters, typed or pasted.
  case text(String)
  case next, previous
  case enter
  case backspace
  /// Ctrl-U.
  case clear
  case escape
  /// Ctrl-C, or Ctrl-D.
  case leave
  /// Ctrl-Z.
  case suspend
}
