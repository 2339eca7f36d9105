/// Draws a form as lines of text: a pure function.
struct FormRenderer: Sendable {
  let columns: Int
  let hasColor: Bool

  private static let spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  private static let label = 10

  /// The lines of the form. No line is wider than the terminal. Escape sequences surround only the text that they
  /// style.
  func lines(of form: Form) -> [String] {
    [
      field("Username", form.username, isFocused: form.focus == .username),
      field("Password", String(repeating: "•", count: form.password.count), isFocused: form.focus == .password),
      "",
      button(form),
      "",
      notice(form),
      "",
      style(.dim, "Tab moves, Enter goes on, Esc \(form.isLoading ? "cancels" : "leaves")".prefix(fitting: columns)),
    ]
  }

  private func field(_ label: String, _ text: String, isFocused: Bool) -> String {
    let name = (isFocused ? "› " : "  ") + label
    let gap = String(repeating: " ", count: max(1, Self.label + 2 - name.count))
    let room = max(0, columns - name.count - gap.count - 1)
    return style(isFocused ? .bold : .none, name) + gap + text.suffix(fitting: room)
      + (isFocused ? style(.reverse, " ") : "")
  }

  private func button(_ form: Form) -> String {
    let isFocused = form.focus == .button
    let face = form.isButtonEnabled ? "[ Sign in ]" : "( Sign in )"
    let look: Style = !form.isButtonEnabled ? .dim : isFocused ? .reverse : .bold
    let spinner = form.isLoading ? " " + Self.spinner[form.spinnerStep % Self.spinner.count] : ""
    return (isFocused ? "› " : "  ") + style(look, face) + spinner
  }

  private func notice(_ form: Form) -> String {
    switch form.notice {
    case .outcome(let outcome):
      let text = ("  " + outcome.message).prefix(fitting: columns)
      switch outcome {
      case .signedIn: return style(.green, text)
      case .wrongUsernameOrPassword: return style(.yellow, text)
      case .unexpectedError: return style(.red, text)
      }
    case .cancelled: return "  Cancelled"
    case nil: return ""
    }
  }

  private enum Style: String {
    case none = ""
    case bold = "1"
    case dim = "2"
    case reverse = "7"
    case red = "31"
    case green = "32"
    case yellow = "33"

    var isColor: Bool { self == .red || self == .green || self == .yellow }
  }

  private func style(_ style: Style, _ text: String) -> String {
    style == .none || style.isColor && !hasColor ? text : "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }
}
