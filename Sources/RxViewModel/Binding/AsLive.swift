extension ObservableType {
  /// This stream as live data.
  ///
  /// Subscribes when the live data gets its first observer. Errors of the stream go to the error streams of `viewModel`, with no action.
  /// The live data doesn't keep the view model alive.
  @MainActor
  public func asLiveData<Action, State>(_ viewModel: RxViewModel<Action, State>) -> RxLiveData<Element> {
    RxLiveData(asObservable(), report: viewModel.reporting)
  }

  /// This stream as live data, for a stream that doesn't fail.
  ///
  /// Subscribes when the live data gets its first observer. If the stream fails after all, the subscription ends, and a debug build reports
  /// the error on standard error.
  @MainActor
  public func asLiveData() -> RxLiveData<Element> { RxLiveData(asObservable()) { reportMistake("asLiveData()", $0) } }

  /// This stream as live events.
  ///
  /// Subscribes immediately, on the calling thread, which can be any thread. Errors of the stream go to the error streams of `viewModel`,
  /// with no action. The live events don't keep the view model alive.
  ///
  /// - Parameters:
  ///   - viewModel: The view model that gets the errors.
  ///   - limit: How many events may wait. If there is one more, the oldest is dropped, and the view model calls
  ///     ``RxViewModel/RxViewModel/diagnose(_:)``.
  public func asLiveEvents<Action, State>(
    _ viewModel: RxViewModel<Action, State>, limit: Int = .max
  ) -> RxLiveEvents<Element> {
    RxLiveEvents(asObservable(), limit: limit, report: viewModel.reporting) { [weak viewModel] in
      viewModel?.diagnose(.droppedEvent($0))
    }
  }

  /// This stream as live events, for a stream that doesn't fail.
  ///
  /// Subscribes immediately, on the calling thread, which can be any thread. A view model can make live events before `super.init`, and
  /// hold them in a `let`:
  ///
  ///     private let sentMessages = PublishSubject<String>()
  ///     let messages: RxLiveEvents<String>
  ///
  ///     override init(scheduler: (any Scheduler)? = nil) {
  ///       messages = sentMessages.asLiveEvents()
  ///       super.init(scheduler: scheduler)
  ///     }
  ///
  /// If the stream fails after all, it ends, and a debug build reports the error on standard error.
  ///
  /// - Parameter limit: How many events may wait. If there is one more, the oldest is dropped, and a debug build reports that on standard
  ///   error.
  public func asLiveEvents(limit: Int = .max) -> RxLiveEvents<Element> {
    RxLiveEvents(
      asObservable(), limit: limit, report: { reportMistake("asLiveEvents()", $0) },
      dropped: { reportInDebug("\(ViewModelDiagnostic<Never>.droppedEvent($0))") })
  }
}

private func reportMistake(_ function: String, _ error: any Error) {
  reportInDebug("\(function) received an error, which ends its subscription: \(error)")
}

extension RxViewModel {
  /// Sends an error without an action to the two error streams.
  fileprivate var reporting: @Sendable (any Error) -> Void { { [weak self] error in self?.engine.fail(error) } }
}
