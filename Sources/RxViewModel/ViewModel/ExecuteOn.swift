extension ObservableType {
  /// Executes each element on `viewModel`, in the mode that ``RxViewModel/executionMode(for:)`` gives it.
  ///
  /// An error of the stream goes to the view model's two error streams, with no action, unless it is a `CancellationError`.
  ///
  /// Does not keep the view model alive. The first element that comes when it has gone ends the subscription, and a debug build says
  /// so in one line on standard error: a screen holds its view model, and disposes its streams.
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
