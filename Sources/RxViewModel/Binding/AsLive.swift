extension ObservableType {
  /// This stream as live data. Its errors go to the error streams of `viewModel`, with no action; that is not kept alive.
  @MainActor
  public func asLiveData<Action, State>(_ viewModel: RxViewModel<Action, State>) -> RxLiveData<Element> {
    RxLiveData(asObservable(), report: viewModel.reporting)
  }

  /// This stream as live events, subscribed now, on the calling thread, which may be any.
  ///
  /// Its errors go to the error streams of `viewModel`, with no action. The view model is not kept alive.
  public func asLiveEvents<Action, State>(_ viewModel: RxViewModel<Action, State>) -> RxLiveEvents<Element> {
    RxLiveEvents(asObservable(), report: viewModel.reporting)
  }

  /// This stream, which does not fail, as live events, subscribed now, on the calling thread, which may be any.
  ///
  /// A view model can make them before `super.init` and hold them in a `let`:
  ///
  ///     private let sentMessages = PublishSubject<String>()
  ///     let messages: RxLiveEvents<String>
  ///
  ///     override init(scheduler: (any Scheduler)? = nil) {
  ///       messages = sentMessages.asLiveEvents()
  ///       super.init(scheduler: scheduler)
  ///     }
  ///
  /// An error that comes here is a programming mistake: it ends the stream, and a debug build says so on standard error.
  public func asLiveEvents() -> RxLiveEvents<Element> {
    RxLiveEvents(asObservable()) { error in
      reportInDebug("an error has reached asLiveEvents(), which ends the subscription: \(error)")
    }
  }
}

extension RxViewModel {
  /// Sends an error that is not an action's to the two error streams.
  fileprivate var reporting: @Sendable (any Error) -> Void {
    { [weak self] error in self?.engine.fail(error) }
  }
}
