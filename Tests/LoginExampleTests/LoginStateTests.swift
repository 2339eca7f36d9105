import Testing

@testable import LoginExample

@Suite struct LoginStateTests {
  // The button is enabled if the username has more than 4 characters and the password more than 2.
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

  // A user-perceived character counts as one, however many scalars or bytes it has.
  @Test(arguments: [
    "é",  // composed
    "e\u{301}",  // decomposed
    "😀",
    "👩‍👩‍👧‍👦",  // joined by zero-width joiners
    "👍🏽",  // with a skin tone
    "🇳🇱",  // a flag is two scalars
    "한",
    "\u{1112}\u{1161}\u{11AB}",  // the same syllable in jamos
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

  // At first the fields are empty, the user is signed out, and the button is disabled.
  @Test func startsEmpty() {
    #expect(LoginState() == LoginState(username: "", password: "", token: nil))
    #expect(!LoginState().isLoginEnabled)
  }
}
