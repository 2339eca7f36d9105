import RxViewModel

/// The login screen as sentences: the state of the button, when it has changed since the previous pair, and each
/// outcome.
func textLines(of viewModel: LoginViewModel) -> Observable<String> {
  let button = viewModel.pairEnteredObservable
    .distinctUntilChanged()
    .map { isEnabled in isEnabled ? "Sign in: enabled" : "Sign in: disabled" }
  let outcomes = viewModel.loginOutcomeObservable.map(\.message)
  return .merge([button, outcomes])
}
