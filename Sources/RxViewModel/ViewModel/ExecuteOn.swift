extension ObservableType {
  /// Executes each element on `viewModel`, in the mode that ``RxViewModel/executionMode(for:)`` returns for it.
  ///
  /// Executes on the thread on which the element arrives, which may be any thread. The view model's two error streams emit an error of this
  /// stream, with no action, unless it is a `CancellationError`.
  ///
  /// The subscription does not keep the view model alive. The first element after the release of the view model ends the subscription, and
  /// a debug build writes one line to standard error: a screen should retain its view model, and dispose its subscriptions.
  public func execute<State>(on viewModel: RxViewModel<Element, State>) -> any Disposable {
    let type = type(of: viewModel)
    return asObservable().connect { [weak viewModel] event in
      guard let viewModel else {
        if !event.isTerminal { reportInDebug("\(type): a stream has executed an action on it, but it has gone") }
        return .noMore
      }
      switch event {
      case .next(let action): viewModel.execute(action)
      case .error(let error): viewModel.engine.fail(error)
      case .completed: break
      }
      return .more
    }
  }
}
