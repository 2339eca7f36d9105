extension ObservableType {
  /// Executes each element on `viewModel`, in the mode that ``RxViewModel/executionMode(for:)`` gives it.
  ///
  /// An error of the stream goes to the view model's two error streams, with no action, unless it is a `CancellationError`.
  /// Does not keep the view model alive.
  public func execute<State>(on viewModel: RxViewModel<Element, State>) -> any Disposable {
    subscribe { [weak viewModel] event in
      guard let viewModel else { return }
      switch event {
      case .next(let action): viewModel.execute(action)
      case .error(let error): viewModel.engine.fail(error)
      case .completed: break
      }
    }
  }
}
