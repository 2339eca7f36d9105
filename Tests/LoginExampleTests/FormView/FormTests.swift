import RxViewModel
import Testing

@testable import LoginExample

/// The form and its view model, key by key.
@MainActor
@Suite struct FormTests {
  // Not on `.main`, where the work of other tests counts too: each key has to be done before the next one.
  private let viewModel = LoginViewModel(service: FakeLoginService(), scheduler: MainScheduler())
  private let view: FormView

  init() {
    view = FormView(viewModel) { _ in }
  }

  /// Presses keys, none of which leaves the form.
  private func press(_ keys: Key...) {
    for key in keys { #expect(view.handle(key)) }
  }

  @Test func keysMoveTheFocus() {
    for (key, focus) in [
      (Key.next, Form.Focus.password), (.enter, .button), (.next, .username), (.previous, .button),
      (.previous, .password),
    ] {
      press(key)
      #expect(view.form.focus == focus)
    }
  }

  @Test func typingExecutesActions() {
    press(.text("adm"))
    #expect(viewModel.currentState.username == "adm")
    press(.text("in"), .next, .text("x"), .next, .text("y"))
    #expect(viewModel.currentState == LoginState(username: "admin", password: "x"))
    #expect(view.form.state == viewModel.currentState)
  }

  @Test(arguments: ["é", "e\u{301}", "👩‍👩‍👧‍👦", "ж", "日", "🇨🇦"])
  func backspaceDeletesAUserPerceivedCharacter(character: String) {
    press(.text("a"))
    for scalar in character.unicodeScalars { press(.text(String(scalar))) }
    #expect(viewModel.currentState.username == "a" + character)
    for rest in ["a", "", ""] {
      press(.backspace)
      #expect(viewModel.currentState.username == rest)
    }
    press(.text("abc"), .clear)
    #expect(viewModel.currentState.username == "")
  }

  @Test func theButtonSignsInOnlyIfEnabled() {
    press(.previous, .enter)
    #expect(view.form.focus == .button)
    #expect(!view.form.isLoading)
    press(.next, .text("admin"), .next, .text("admin"), .next, .enter)
    #expect(view.form.isLoading)
  }

  @Test func enterInTheLastFieldSignsInIfTheButtonIsEnabled() {
    press(.text("admin"), .enter, .text("admin"), .enter)
    #expect(view.form.focus == .password)
    #expect(view.form.isLoading)
    press(.escape)
    #expect(view.form.notice == .cancelled)
  }

  @Test func enterInTheLastFieldGoesOnIfTheButtonIsDisabled() {
    press(.text("admin"), .enter, .text("pw"), .enter)
    #expect(view.form.focus == .button)
    #expect(!view.form.isLoading)
  }

  @Test func enterInTheFirstFieldGoesOnEvenIfTheButtonIsEnabled() {
    press(.text("admin"), .next, .text("admin"), .previous, .enter)
    #expect(view.form.focus == .password)
    #expect(!view.form.isLoading)
  }

  // Each key sees the state after the previous key: Escape right after Enter finds a running sign-in.
  @Test func escapeCancelsASignInOrLeaves() {
    press(.text("admin"), .enter, .text("admin"), .enter, .escape)
    #expect(view.form.notice == .cancelled)
    #expect(!view.form.isLoading)
    #expect(view.outcome == nil)
    #expect(!view.handle(.escape))
    #expect(!view.handle(.leave))
  }
}

@Suite struct FormRendererTests {
  private func plain(_ form: Form, columns: Int = 80) -> [String] {
    form.lines(columns: columns).map(Self.withoutStyles)
  }

  private static func withoutStyles(_ line: String) -> String {
    var (text, isInside) = ("", false)
    for character in line {
      if character == "\u{1B}" { isInside = true }
      if !isInside { text.append(character) }
      if character == "m" { isInside = false }
    }
    return text
  }

  @Test func drawsTheForm() {
    var form = Form()
    (form.state, form.focus) = (LoginState(username: "admin", password: "пароль"), .password)
    form.notice = .outcome(.wrongUsernameOrPassword)
    #expect(
      plain(form) == [
        "  Username  admin", "› Password  •••••• ", "", "  [ Sign in ]", "", "  Wrong username or password", "",
        "Tab moves, Enter goes on, Esc leaves",
      ])
  }

  @Test func theButtonLooksDisabledWithoutColorToo() {
    var form = Form()
    #expect(plain(form)[3] == "  ( Sign in )")
    form.focus = .button
    #expect(plain(form)[3] == "› ( Sign in )")
    form.state = LoginState(username: "admin", password: "admin")
    #expect(plain(form)[3] == "› [ Sign in ]")
  }

  @Test func theSpinnerMoves() {
    var form = Form()
    form.isLoading = true
    let frames = Set(
      (0..<10).map { step -> String in
        form.spinnerStep = step
        return plain(form)[3]
      })
    #expect(frames.count == 10)
    #expect(plain(form)[7].hasSuffix("Esc cancels"))
  }

  @Test func theOutcomeHasAColor() {
    for (outcome, color) in [
      (LoginOutcome.signedIn(username: "a"), "32"), (.wrongUsernameOrPassword, "33"), (.unexpectedError, "31"),
    ] {
      var form = Form()
      form.notice = .outcome(outcome)
      #expect(form.lines(columns: 80)[5].hasPrefix("\u{1B}[\(color)m"))
    }
  }

  // No line is wider than the window. The form shows the end of a text that is too long.
  @Test(arguments: [20, 24, 40, 80])
  func fitsTheWindow(columns: Int) {
    var form = Form()
    for name in [
      "", "a", String(repeating: "日本", count: 40), String(repeating: "e\u{301}👍", count: 40),
      "x" + String(repeating: "y", count: 90) + "z",
    ] {
      (form.state, form.isLoading) = (LoginState(username: name, password: name), true)
      for notice in [Form.Notice.cancelled, .outcome(.signedIn(username: name)), .outcome(.wrongUsernameOrPassword)] {
        form.notice = notice
        for line in plain(form, columns: columns) { #expect(line.displayWidth <= columns) }
      }
    }
    #expect(plain(form, columns: 20)[0] == "› Username  …yyyyyz ")
  }

  @Test func widths() {
    #expect("é".displayWidth == 1)
    #expect("e\u{301}".displayWidth == 1)
    #expect("日".displayWidth == 2)
    #expect("👍🏽".displayWidth == 2)
    #expect("жук".displayWidth == 3)
    #expect("❤️".displayWidth == 2)
    #expect("👩‍👩‍👧‍👦".displayWidth == 2)
    #expect("🇨🇦".displayWidth == 2)
  }

  // A line would wrap if a character took more columns than the form counts.
  @Test(arguments: [
    ("कि", 2), ("e\u{200D}", 1), ("か\u{3099}", 2), ("a🏽", 3), ("😀\u{93F}", 3), ("\u{AC00}", 2), ("\u{FF21}", 2),
  ])
  func widthsOfRareCharacters(text: String, width: Int) {
    #expect(text.count == 1)
    #expect(text.displayWidth == width)
  }

  @Test func aTextThatDoesNotFitIsShortened() {
    #expect("abcd".suffix(fitting: 4) == "abcd")
    #expect("abcde".suffix(fitting: 4) == "…cde")
    #expect("abcde".prefix(fitting: 4) == "abc…")
    #expect("a日本".suffix(fitting: 4) == "…本")
    #expect("日本a".prefix(fitting: 4) == "日…")
    #expect("e\u{301}e\u{301}".prefix(fitting: 1) == "…")
    #expect("a".suffix(fitting: 0) == "")
    #expect("".prefix(fitting: 0) == "")
  }
}
