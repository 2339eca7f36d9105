extension ObservableType {
  /// Executes each element on `viewModel`, in the mode that ``RxViewModel/executionMode(for:)`` returns for it.
  ///
  /// Calls `execute` on the thread on which the element arrives, whichever that is. If this stream fails, the view model's two error
  /// streams emit the error, with no action, unless it is a `CancellationError`.
  ///
  /// The subscription doesn't keep the view model alive. If an element arrives in the view model's `deinit`, or later, the subscription
  /// ends, and a debug build writes one line to standard error: retain the view model in its screen, and dispose the screen's
  /// subscriptions.
  public func execute<State>(on viewModel: RxViewModel<Element, State>) -> any Disposable {
    let type = type(of: viewModel)
    let sink = Sink<Element>(
      next: { [weak viewModel] action in
        if viewModel == nil { reportInDebug("\(type): a stream executed an action after the view model was released") }
        viewModel?.execute(action)
        return viewModel == nil ? .noMore : .more
      }, end: { [weak viewModel] in if let error = $0 { viewModel?.engine.fail(error) } })
    return asObservable().connect(sink)
  }
}
