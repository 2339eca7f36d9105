extension ObservableType {
  /// Completes in place of an error, which goes to the two error streams of `viewModel`, with no action.
  ///
  ///     service.prices.demoteErrors(to: self).mutate { $0.prices = $1 }
  ///
  /// The view model handles the error on its scheduler; a `CancellationError` is on neither stream. Does not keep the view
  /// model alive: when it has been released, the error is lost.
  public func demoteErrors<Action, State>(to viewModel: RxViewModel<Action, State>) -> Observable<Element> {
    `catch` { [weak viewModel] error in
      viewModel?.engine.fail(error)
      return .empty()
    }
  }
}
