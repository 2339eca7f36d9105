extension RxViewModel {
  /// The screen is there: ``onResume(_:)`` follows, unless another screen is there already.
  ///
  /// Any thread, idempotent: this is one screen of its own beside those that a ``Lifecycle`` binds. Does not keep the view model
  /// alive. After ``clear()`` it does nothing.
  public final func didResume() {
    engine.send(.resume(.own))
  }

  /// The screen is away: ``onPause()`` follows, unless another screen is still there. Any thread, idempotent.
  public final func didPause() {
    engine.send(.pause(.own))
  }

  /// Executes an action that ends with `scope`: when the bag is disposed, the action is cancelled, wherever it is.
  ///
  /// May be called from any thread, with the bag of ``onResume(_:)`` or with one of your own. An action that has ended leaves the bag. In
  /// a resume's bag that is over the action is not executed at all. O(1); disposing the bag is O(n log n) for its n unfinished actions.
  public final func execute(_ action: Action, mode: ExecutionMode? = nil, in scope: DisposeBag) {
    engine.execute(ActionRun(action, mode: mode, isAwaited: true), in: scope, for: self)
  }
}
