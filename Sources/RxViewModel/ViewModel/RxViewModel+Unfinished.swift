extension RxViewModel {
  /// The accepted actions that have not ended, in the order of acceptance. None after ``clear()``. Nil while another thread is at work for
  /// the view model.
  ///
  /// May be called from any thread. Does not wait for user code, and calls none.
  package final var unfinishedActions: [UnfinishedAction<Action>]? {
    engine.unfinishedActions()
  }
}
