extension ObservableType {
  /// Executes an action on `viewModel`, after the stream has completed and its action has ended.
  ///
  ///     case .save: save(currentState).then(.reload, on: self)
  ///
  /// For an effect of `viewModel`: the view model accepts the action after its streams have announced the end of the effect's action,
  /// whatever the modes of both, and whatever thread the stream completes on. Several of them follow in the order in which their streams
  /// completed. None follows an action that fails or is cancelled. Neither ``RxViewModel/RxViewModel/perform(_:)`` nor the rest of a batch
  /// waits for it.
  ///
  /// Call it in ``RxViewModel/RxViewModel/createObservable(_:)`` itself. A stream for which it is called elsewhere, such as in the closure
  /// of a `flatMap`, executes the action when it has completed, on the thread on which it completes. Does not retain the view model, and
  /// does nothing after its release.
  public func then<Action, State>(_ action: Action, on viewModel: RxViewModel<Action, State>) -> Observable<Element>
  where Element == StateMapper<State> {
    let port = viewModel.engine.portOfCurrentAction()
    return .lifting(asObservable()) { [weak viewModel] sink in
      Sink(
        next: sink.next,
        end: { [weak viewModel] error in
          if error != nil { return sink.end(error) }
          let isFollowing = port?.follow(action) ?? false
          sink.end(nil)
          if !isFollowing { viewModel?.execute(action) }
        })
    }
  }
}
