import Testing

@testable import LoginExample

@Suite struct FormTests {
  @Test func keysMoveTheFocus() {
    var form = Form()
    for (key, focus) in [
      (Key.next, Form.Focus.password), (.enter, .button), (.next, .username), (.previous, .button),
      (.previous, .password),
    ] {
      #expect(form.handle(key) == nil)
      #expect(form.focus == focus)
    }
  }

  @Test func typingExecutesActions() {
    var form = Form()
    #expect(form.handle(.text("adm")) == .execute(.setUsername("adm")))
    #expect(form.handle(.text("in")) == .execute(.setUsername("admin")))
    _ = form.handle(.next)
    #expect(form.handle(.text("x")) == .execute(.setPassword("x")))
    _ = form.handle(.next)
    #expect(form.handle(.text("x")) == nil)
  }

  @Test(arguments: ["é", "e\u{301}", "👩‍👩‍👧‍👦", "ж", "日", "🇨🇦"])
  func backspaceDeletesACharacterAsAPersonCountsThem(character: String) {
    var form = Form()
    _ = form.handle(.text("a"))
    for scalar in character.unicodeScalars { _ = form.handle(.text(String(scalar))) }
    #expect(form.handle(.backspace) == .execute(.setUsername("a")))
    #expect(form.handle(.backspace) == .execute(.setUsername("")))
    #expect(form.handle(.backspace) == .execute(.setUsername("")))
    _ = form.handle(.text("abc"))
    #expect(form.handle(.clear) == .execute(.setUsername("")))
  }

  @Test func theButtonSignsInOnlyIfEnabled() {
    var form = Form()
    form.focus = .button
    #expect(form.handle(.enter) == nil)
    form.isButtonEnabled = true
    #expect(form.handle(.enter) == .execute(.login))
  }

  @Test func enterInTheLastFieldSignsInIfTheButtonIsEnabled() {
    var form = Form()
    (form.focus, form.isButtonEnabled) = (.password, true)
    #expect(form.handle(.enter) == .execute(.login))
    #expect(form.focus == .password)
    #expect(form.isLoading)
    #expect(form.handle(.escape) == .cancelSignIn)
  }

  @Test func enterInTheLastFieldGoesOnIfTheButtonIsDisabled() {
    var form = Form()
    form.focus = .password
    #expect(form.handle(.enter) == nil)
    #expect(form.focus == .button)
    #expect(!form.isLoading)
  }

  @Test func enterInTheFirstFieldGoesOnEvenIfTheButtonIsEnabled() {
    var form = Form()
    form.isButtonEnabled = true
    #expect(form.handle(.enter) == nil)
    #expect(form.focus == .password)
  }

  // The view model says so a moment later: a key in between has to find it said.
  @Test func theButtonLoadsAtOnce() {
    var form = Form()
    (form.focus, form.isButtonEnabled, form.outcome) = (.button, true, .signedIn(username: "admin"))
    _ = form.handle(.enter)
    #expect(form.isLoading)
    #expect(form.outcome == nil)
    #expect(form.handle(.escape) == .cancelSignIn)
    #expect(form.handle(.escape) == .leave)
  }

  @Test func escapeCancelsASignInOrLeaves() {
    var form = Form()
    #expect(form.handle(.escape) == .leave)
    form.isLoading = true
    #expect(form.handle(.escape) == .cancelSignIn)
    #expect(form.notice == .cancelled)
    // The outcome comes before the spinner stops.
    form.isLoading = true
    form.end(with: .signedIn(username: "admin"))
    #expect(form.handle(.escape) == .leave)
    #expect(form.handle(.leave) == .leave)
    #expect(form.handle(.suspend) == .suspend)
  }
}

@Suite struct FormRendererTests {
  private func plain(_ form: Form, columns: Int = 80) -> [String] {
    FormRenderer(columns: columns, hasColor: false).lines(of: form).map(Self.withoutStyles)
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
    (form.username, form.password, form.focus, form.isButtonEnabled) = ("admin", "пароль", .password, true)
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
    form.isButtonEnabled = true
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

  @Test func colorsOnlyWhereAsked() {
    for (outcome, color) in [
      (LoginOutcome.signedIn(username: "a"), "32"), (.wrongUsernameOrPassword, "33"), (.unexpectedError, "31"),
    ] {
      var form = Form()
      form.notice = .outcome(outcome)
      #expect(FormRenderer(columns: 80, hasColor: true).lines(of: form)[5].hasPrefix("\u{1B}[\(color)m"))
      #expect(!FormRenderer(columns: 80, hasColor: false).lines(of: form).joined().contains("[\(color)m"))
    }
  }

  // No line is wider than the window; of what is too long the end is seen.
  @Test(arguments: [20, 24, 40, 80])
  func fits(columns: Int) {
    var form = Form()
    for name in [
      "", "a", String(repeating: "日本", count: 40), String(repeating: "e\u{301}👍", count: 40),
      "x" + String(repeating: "y", count: 90) + "z",
    ] {
      (form.username, form.password, form.isLoading) = (name, name, true)
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

  // A character that takes more columns than it is said to breaks its line.
  @Test(arguments: [
    ("कि", 2), ("\u{AD}", 1), ("\u{600}1", 2), ("e\u{200D}", 1), ("か\u{3099}", 2), ("a🏽", 3), ("😀\u{93F}", 3),
    ("\u{17000}", 2), ("\u{1B000}", 2), ("\u{16FE0}", 2), ("\u{2329}", 2), ("\u{A960}", 2), ("\u{FE10}", 2),
    ("\u{1F200}", 2),
  ])
  func widthsOfRareCharacters(text: String, width: Int) {
    #expect(text.count == 1)
    #expect(text.displayWidth == width)
  }

  // Of a text of a megabyte as little is looked at as is seen.
  @Test func ends() {
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
