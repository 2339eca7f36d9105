import RxViewModel

/// What the line view waits for before it goes on.
enum LineViewStep: Sendable, Equatable {
  /// A line of the input; nil at its end.
  case line(String?)
  /// Both fields of a pair have been set.
  case entered(isLoginEnabled: Bool)
  case outcome(LoginOutcome)
  /// Nobody is signing in: every other stream has said what it had to say about the last sign-in.
  case idle
}

extension LoginViewModel {
  /// Whether the button can be pressed, each time a password has been set: a pair is a username and then a password.
  ///
  /// It comes at the end of the action, so that no stream has anything more to say about the pair.
  var pairEnteredObservable: Observable<Bool> {
    executionObservable.filter(\.endsPair).withLatestFrom(isFormValidObservable)
  }

  /// The steps of whoever enters pairs and signs in.
  var lineViewSteps: Observable<LineViewStep> {
    .merge([
      pairEnteredObservable.map { .entered(isLoginEnabled: $0) },
      loginOutcomeObservable.map { .outcome($0) },
      isLoadingObservable.filter { !$0 }.map { _ in .idle },
    ])
  }
}

extension Execution<LoginAction, LoginState> {
  fileprivate var endsPair: Bool {
    if case (.setPassword, .completed) = (action, phase) { true } else { false }
  }
}
