/// All that the form shows, and what keys do to it.
struct Form: Sendable, Equatable {
  enum Focus: Int, Sendable, CaseIterable {
    case username, password, button
  }

  /// What a key asks of others.
  enum Request: Sendable, Equatable {
    case execute(LoginAction)
    case cancelSignIn
    case leave, suspend
  }

  enum Notice: Sendable, Equatable {
    case outcome(LoginOutcome)
    case cancelled
  }

  var username = ""
  var password = ""
  var focus = Focus.username
  var isButtonEnabled = false
  var isLoading = false
  /// Counts the spinner's steps.
  var spinnerStep = 0
  var notice: Notice?
  /// What the last sign-in came to; nil while it is under way, and if it was cancelled.
  var outcome: LoginOutcome?

  /// The last sign-in is over.
  mutating func end(with outcome: LoginOutcome) {
    self.outcome = outcome
    notice = .outcome(outcome)
  }

  mutating func handle(_ key: Key) -> Request? {
    switch key {
    case .text(let text): return edit { $0 += text }
    case .backspace: return edit { if !$0.isEmpty { $0.removeLast() } }
    case .clear: return edit { $0 = "" }
    case .next: move(by: 1)
    case .previous: move(by: -1)
    case .enter: return enter()
    case .escape:
      // The outcome is there a moment before the spinner stops: there is nothing to cancel then.
      if case .outcome = notice { return .leave }
      guard isLoading else { return .leave }
      isLoading = false
      notice = .cancelled
      return .cancelSignIn
    case .leave: return .leave
    case .suspend: return .suspend
    }
    return nil
  }

  private mutating func move(by step: Int) {
    let count = Focus.allCases.count
    focus = Focus.allCases[(focus.rawValue + step + count) % count]
  }

  private mutating func edit(_ change: (inout String) -> Void) -> Request? {
    switch focus {
    case .username:
      change(&username)
      if !isLoading { notice = nil }
      return .execute(.setUsername(username))
    case .password:
      change(&password)
      if !isLoading { notice = nil }
      return .execute(.setPassword(password))
    case .button:
      return nil
    }
  }

  /// Enter in the last field, or on the button, signs in if the button is enabled. Otherwise it moves on from a field, and
  /// does nothing on the button.
  private mutating func enter() -> Request? {
    switch focus {
    case .password where isButtonEnabled, .button where isButtonEnabled: return signIn()
    case .username, .password: move(by: 1)
    case .button: break
    }
    return nil
  }

  /// Shows the form as loading at once: the view model says so a moment later, and the next key may come before that.
  ///
  /// During a sign-in the view model drops the action.
  private mutating func signIn() -> Request {
    if !isLoading { (notice, outcome, isLoading) = (nil, nil, true) }
    return .execute(.login)
  }
}
