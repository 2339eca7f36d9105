import RxViewModel

/// A step that the line view waits for.
enum LineViewStep: Sendable, Equatable {
  /// A line of the input; nil at its end.
  case line(String?)
  /// The view model has set both fields of a pair.
  case entered(isLoginEnabled: Bool)
  case outcome(LoginOutcome)
  /// No sign-in is running. Every other stream has emitted all elements of the last one.
  case idle
}

extension LoginViewModel {
  /// Whether the button is enabled, after each pair of a username and a password.
  ///
  /// Emits when the action that sets the password has completed, so no stream emits further elements for the pair.
  var pairEnteredObservable: Observable<Bool> {
    executionObservable.filter(\.endsPair).withLatestFrom(isFormValidObservable)
  }

  /// The steps of a view that enters pairs and signs in.
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
