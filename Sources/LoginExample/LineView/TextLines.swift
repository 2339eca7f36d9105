import RxViewModel

/// The login screen in sentences: the button, whenever it has changed since the pair before, and each outcome.
func textLines(of viewModel: LoginViewModel) -> Observable<String> {
  let button = viewModel.pairEnteredObservable
    .distinctUntilChanged()
    .map { isEnabled in isEnabled ? "Sign in: enabled" : "Sign in: disabled" }
  let outcomes = viewModel.loginOutcomeObservable.map(\.message)
  return .merge([button, outcomes])
}
