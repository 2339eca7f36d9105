extension RxViewModel {
  /// Executes an action for each subscription, and emits the state that its last mapper produced: `perform` as a stream that the action
  /// outlives.
  ///
  ///     case .setPinned(let isPinned): pins.performDetached(.set(id, isPinned)).ignoreElements()
  ///
  /// Use it in an effect whose action asks another view model to do something, and ends with it. Disposing the subscription doesn't cancel
  /// the other action: when the user closes the screen, its action ends, and what it has asked for goes on.
  ///
  /// **Thread.** Accepts the action on the subscribing thread, before `subscribe` returns. Emits on this view model's scheduler.
  ///
  /// **Errors and end.** Fails with the errors that ``perform(_:)`` throws, and completes after the state. If the subscription has been
  /// disposed before, an error is reported as that of `execute`. Doesn't keep the view model alive; after its end, the stream fails with a
  /// `CancellationError`.
  ///
  /// - Parameters:
  ///   - action: The action to execute.
  ///   - mode: The mode of the action. Without one, ``executionMode(for:)`` decides.
  public final func performDetached(_ action: Action, mode: ExecutionMode? = nil) -> Observable<State> {
    .create { [engine] observer in
      let (awaiter, origin, effect) = (Awaiter<State>(), Taps.origin, EffectTasks.action)
      engine.accept(ActionRun(action, mode: mode, watcher: awaiter), for: awaiter) { result in
        // What follows belongs to the subscriber's effect.
        Taps.$origin.withValue(origin) {
          EffectTasks.$action.withValue(effect) {
            switch result {
            case .success(let state):
              observer.onNext(state.value)
              observer.onCompleted()
            case .failure(let error): observer.onError(error)
            }
          }
        }
      }
      return Disposables.create { [weak awaiter] in _ = awaiter?.answer.withLock { $0.take() } }
    }
  }
}
