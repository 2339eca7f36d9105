extension ObservableType {
  /// Completes instead of failing, and sends the error to the two error streams of `viewModel`, with no action.
  ///
  ///     service.prices.demoteErrors(to: self).mutate { $0.prices = $1 }
  ///
  /// The view model handles the error on its scheduler. Neither stream emits a `CancellationError`. The subscription doesn't keep the view
  /// model alive; once the view model has been released, the error is lost.
  public func demoteErrors<Action, State>(to viewModel: RxViewModel<Action, State>) -> Observable<Element> {
    `catch` { [weak viewModel] error in
      viewModel?.engine.fail(error)
      return .empty()
    }
  }
}
