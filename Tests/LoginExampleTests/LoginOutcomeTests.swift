import Testing

@testable import LoginExample

@Suite struct LoginOutcomeTests {
  private struct OtherError: Error {}

  // Every error except `wrongUsernameOrPassword` is unexpected.
  @Test func errors() {
    #expect(LoginOutcome(LoginError.wrongUsernameOrPassword) == .wrongUsernameOrPassword)
    #expect(LoginOutcome(LoginError.unexpected) == .unexpectedError)
    #expect(LoginOutcome(OtherError()) == .unexpectedError)
  }

  @Test func messages() {
    #expect(LoginOutcome(LoginState(username: "other", signedInUsername: "admin")).message == "Signed in as admin")
    #expect(LoginOutcome.wrongUsernameOrPassword.message == "Wrong username or password")
    #expect(LoginOutcome.unexpectedError.message == "Something unexpected came up")
  }

  // The printed outcome is one line without escape codes, even if the username contains some.
  @Test func messageOfAHostileName() {
    let outcome = LoginOutcome.signedIn(username: "\u{1B}[31mé😀\r\n\u{85}\u{2028}\u{9B}x\0")
    #expect(outcome.message.printable == "Signed in as \u{FFFD}[31mé😀\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}x\u{FFFD}")
  }

  @Test func exitCodes() {
    #expect(ExitCode(LoginOutcome.signedIn(username: "admin")).rawValue == 0)
    #expect(ExitCode(LoginOutcome.wrongUsernameOrPassword).rawValue == 1)
    #expect(ExitCode(LoginOutcome.unexpectedError).rawValue == 2)
  }
}
