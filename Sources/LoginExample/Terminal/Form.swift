/// The contents of the form.
struct Form: Sendable, Equatable {
  enum Focus: Int, Sendable, CaseIterable { case username, password, button }

  enum Notice: Sendable, Equatable {
    case outcome(LoginOutcome)
    case cancelled
  }

  var state = LoginState()
  var focus = Focus.username
  var isLoading = false
  /// The index of the spinner's animation step.
  var spinnerStep = 0
  var notice: Notice?
}

/// Draws the form: a pure function.
extension Form {
  /// Returns the lines of the form. If the window has at least 20 columns, no line is wider than the window.
  func lines(columns: Int) -> [String] {
    func field(_ label: String, _ text: String, _ field: Focus) -> String {
      let text = text.suffix(fitting: max(0, columns - label.count - 5))
      return focus == field ? "\(style(1, "› " + label))  \(text)\(style(7, " "))" : "  \(label)  \(text)"
    }
    let (isEnabled, isFocused) = (state.isLoginEnabled, focus == .button)
    let button = style(!isEnabled ? 2 : isFocused ? 7 : 1, isEnabled ? "[ Sign in ]" : "( Sign in )")
    let spinner = isLoading ? " \(Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")[spinnerStep % 10])" : ""
    let help = "Tab moves, Enter goes on, Esc \(isLoading ? "cancels" : "leaves")"
    return [
      field("Username", state.username, .username),
      field("Password", String(repeating: "•", count: state.password.count), .password),
      "", (isFocused ? "› " : "  ") + button + spinner, "", message(columns), "",
      style(2, help.prefix(fitting: columns)),
    ]
  }

  private func message(_ columns: Int) -> String {
    guard case .outcome(let outcome) = notice else { return notice == nil ? "" : "  Cancelled" }
    let text = "  \(outcome.message.printable)".prefix(fitting: columns)
    switch outcome {
    case .signedIn: return style(32, text)
    case .wrongUsernameOrPassword: return style(33, text)
    case .unexpectedError: return style(31, text)
    }
  }

  /// - Parameter code: The number of a text attribute: bold, dim, reverse or a color.
  private func style(_ code: Int, _ text: String) -> String { "\u{1B}[\(code)m\(text)\u{1B}[0m" }
}

extension String {
  /// The maximum number of terminal columns that the text occupies.
  var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The longest beginning of the text that fits, followed by an ellipsis if the text was shortened.
  func prefix(fitting columns: Int) -> String { String(fitting(columns)) }

  /// The longest end of the text that fits, preceded by an ellipsis if the text was shortened.
  func suffix(fitting columns: Int) -> String { String(reversed().fitting(columns).reversed()) }
}

extension Sequence<Character> {
  /// The first characters, as many as fit, followed by an ellipsis if there are more. Reads no more characters than it needs.
  fileprivate func fitting(_ columns: Int) -> [Character] {
    var (kept, width) = ([Character](), 0)
    for character in self {
      width += character.displayWidth
      if width > columns { return columns < 1 ? [] : kept + ["…"] }
      if width < columns { kept.append(character) }
    }
    return Array(self)
  }
}

extension Character {
  /// The maximum number of columns: 2 for an East Asian wide character and for an emoji, even a composed one.
  fileprivate var displayWidth: Int {
    let isEmoji = unicodeScalars.first!.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
    return unicodeScalars.reduce(isEmoji ? 2 : 0) { $0 + (isEmoji && $1.properties.isEmoji ? 0 : $1.displayWidth) }
  }
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    if [.nonspacingMark, .enclosingMark, .format].contains(properties.generalCategory) { return 0 }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return properties.isEmojiPresentation ? 2 : 1
    }
  }
}
