/// The state of the form, and the changes that keys make to it.
struct Form: Sendable, Equatable {
  enum Focus: Int, Sendable, CaseIterable {
    case username, password, button
  }

  /// A request that a key makes to the view.
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
  /// The number of the spinner's animation step.
  var spinnerStep = 0
  var notice: Notice?
  /// The outcome of the last sign-in. Nil while a sign-in is running, and after a cancelled one.
  var outcome: LoginOutcome?

  /// Shows the outcome of the sign-in that has ended.
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
      // The outcome arrives a moment before the spinner stops. In that moment there is no sign-in to cancel.
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

  /// Handles the Enter key. In the last field and on the button it signs in if the button is enabled. Otherwise it
  /// moves on from a field, and does nothing on the button.
  private mutating func enter() -> Request? {
    switch focus {
    case .password where isButtonEnabled, .button where isButtonEnabled: return signIn()
    case .username, .password: move(by: 1)
    case .button: break
    }
    return nil
  }

  /// Signs in, and shows the form as loading at once, because the view model reports loading a moment later, possibly after the next key.
  ///
  /// During another sign-in the view model drops the action.
  private mutating func signIn() -> Request {
    if !isLoading { (notice, outcome, isLoading) = (nil, nil, true) }
    return .execute(.login)
  }
}
