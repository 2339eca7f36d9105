extension ObservableType {
  /// Executes each element on `viewModel`, in the mode that ``RxViewModel/executionMode(for:)`` returns for it.
  ///
  /// Calls `execute` on the thread on which the element arrives, whichever that is. If this stream fails, the view model's two error
  /// streams emit the error, with no action, unless it is a `CancellationError`.
  ///
  /// The subscription doesn't keep the view model alive. If an element arrives after the view model has been released, the subscription
  /// ends, and a debug build writes one line to standard error: retain the view model in its screen, and dispose the screen's
  /// subscriptions.
  ///
  /// If you call this in the view model's `deinit`, each element that the stream sends on the calling thread while it is being subscribed
  /// is passed to ``RxViewModel/diagnose(_:)``, and the subscription has ended when this returns.
  public func execute<State>(on viewModel: RxViewModel<Element, State>) -> any Disposable {
    if viewModel.engine.viewModel == nil { return executeInDeinit(of: viewModel) }
    let type = type(of: viewModel)
    let sink = Sink<Element>(
      next: { [weak viewModel] action in
        if viewModel == nil { reportInDebug("\(type): a stream executed an action after the view model was released") }
        viewModel?.execute(action)
        return viewModel == nil ? .noMore : .more
      }, end: { [weak viewModel] in if let error = $0 { viewModel?.engine.fail(error) } })
    return asObservable().connect(sink)
  }

  /// Executes the elements on a view model whose `deinit` calls this: a weak reference to it is nil already (contract 2.9).
  ///
  /// The view model exists until this returns, and no longer. So only the calling thread refers to it, and the subscription ends here.
  private func executeInDeinit<State>(of viewModel: RxViewModel<Element, State>) -> any Disposable {
    let (unretained, thread) = (Unmanaged.passUnretained(viewModel), ThreadID.current)
    let sink = Sink<Element>(
      next: { action in
        guard thread.isCurrent else { return .noMore }
        unretained._withUnsafeGuaranteedRef { $0.execute(action) }
        return .more
      }, end: { _ in })
    let subscription = asObservable().connect(sink)
    subscription.dispose()
    return subscription
  }
}
