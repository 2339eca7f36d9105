import Testing

@testable import LoginExample

@Suite struct LoginStateTests {
  // Username longer than 4 and password longer than 2, counted in characters.
  @Test(arguments: [
    ("", "", false),
    ("admi", "abc", false),
    ("admin", "ab", false),
    ("admin", "abc", true),
    ("admin", "", false),
    ("", "abc", false),
    ("administrator", "a long password", true),
    ("     ", "   ", true),
  ])
  func boundaries(username: String, password: String, isEnabled: Bool) {
    #expect(LoginState(username: username, password: password).isLoginEnabled == isEnabled)
  }

  // A character is what a person counts as one, however many scalars or bytes it takes.
  @Test(arguments: [
    "é",  // composed
    "e\u{301}",  // decomposed
    "😀",
    "👩‍👩‍👧‍👦",  // joined by zero-width joiners
    "👍🏽",  // with a skin tone
    "🇳🇱",  // a flag is two scalars
    "한",
    "\u{1112}\u{1161}\u{11AB}",  // the same in jamos
    "я",
    "\0",
    "\u{FFFD}",
  ])
  func countsCharacters(character: String) {
    let (four, five) = (String(repeating: character, count: 4), String(repeating: character, count: 5))
    let (two, three) = (String(repeating: character, count: 2), String(repeating: character, count: 3))
    #expect(!LoginState(username: four, password: three).isLoginEnabled)
    #expect(!LoginState(username: five, password: two).isLoginEnabled)
    #expect(LoginState(username: five, password: three).isLoginEnabled)
  }

  // The screen starts empty, signed out, with the button disabled.
  @Test func startsEmpty() {
    #expect(LoginState() == LoginState(username: "", password: "", token: nil))
    #expect(!LoginState().isLoginEnabled)
  }
}
