extension ObservableType {
  /// Executes another action on `viewModel`, after the stream has completed and the effect's own action has ended.
  ///
  ///     case .save: save(currentState).then(.reload, on: self)
  ///
  /// Use it in an effect of `viewModel`. The view model accepts the action after its streams have announced the end of the effect's own
  /// action, whatever the modes of both, and whatever thread the stream completes on. Several such actions follow in the order in which
  /// their streams completed. Nothing follows an action that fails or is cancelled. Neither ``RxViewModel/RxViewModel/perform(_:)`` nor the
  /// rest of a batch waits for the action that follows.
  ///
  /// Call it in ``RxViewModel/RxViewModel/createObservable(_:)`` itself. If you call it elsewhere, such as in the closure of a `flatMap`,
  /// the action is executed when the stream has completed, on the thread on which it completes. Doesn't retain the view model, and does
  /// nothing after the view model has been released.
  public func then<Action, State>(_ action: Action, on viewModel: RxViewModel<Action, State>) -> Observable<Element>
  where Element == StateMapper<State> {
    let port = viewModel.engine.portOfCurrentAction()
    return .lifting(asObservable()) { [weak viewModel] sink in
      Sink(
        next: sink.next,
        end: { [weak viewModel] error in
          if error != nil { return sink.end(error) }
          let isFollowing = port?.then(action) ?? false
          sink.end(nil)
          if !isFollowing { viewModel?.execute(action) }
        })
    }
  }
}
