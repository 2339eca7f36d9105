extension RxViewModel {
  /// Tells the view model that its screen has appeared.
  ///
  /// You can call it from any thread; repeated calls count once. The view model then calls ``onResume(_:)``, unless another screen is
  /// resumed already. `didResume` and `didPause` stand for one screen, in addition to those that a ``Lifecycle`` binds. The call doesn't
  /// keep the view model alive. After ``clear()`` it does nothing.
  public final func didResume() { engine.post(.resume(0)) }

  /// Tells the view model that its screen has disappeared.
  ///
  /// You can call it from any thread; repeated calls count once. The view model then calls ``onPause()``, unless another screen is still
  /// resumed. The call keeps the view model alive until then, as an action does.
  public final func didPause() { engine.post(.pause(0)) }

  /// Executes an action, and cancels it when `scope` is disposed.
  ///
  /// You can call it from any thread, with the bag of ``onResume(_:)`` or with one of your own. Disposing the bag cancels the action,
  /// whether it waits or runs. An action that has ended leaves the bag. If the bag belongs to a resume that has ended, the action isn't
  /// executed. Without a mode, ``executionMode(for:)`` decides. After ``clear()`` this only calls ``diagnose(_:)``. O(1); disposing the bag
  /// is O(n log n) for its n unfinished actions.
  public final func execute(_ action: Action, mode: ExecutionMode? = nil, in scope: DisposeBag) {
    engine.execute(action, mode, in: scope, for: self)
  }
}
