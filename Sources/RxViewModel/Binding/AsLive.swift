extension ObservableType {
  /// This stream as live data. Its errors go to the error streams of `viewModel`, with no action; that is not kept alive.
  @MainActor
  public func asLiveData<Action, State>(_ viewModel: RxViewModel<Action, State>) -> RxLiveData<Element> {
    RxLiveData(asObservable(), report: viewModel.reporting)
  }

  /// This stream as live events, subscribed now. Its errors go to the error streams of `viewModel`, with no action; that is not kept
  /// alive.
  @MainActor
  public func asLiveEvents<Action, State>(_ viewModel: RxViewModel<Action, State>) -> RxLiveEvents<Element> {
    RxLiveEvents(asObservable(), report: viewModel.reporting)
  }
}

extension RxViewModel {
  /// Sends an error that is not an action's to the two error streams.
  fileprivate var reporting: @Sendable (any Error) -> Void {
    { [weak self] error in self?.engine.fail(error) }
  }
}
