extension RxViewModel {
  /// The accepted actions that have not ended, in the order of acceptance. None after ``clear()``. Nil while another thread is at work for
  /// the view model.
  ///
  /// May be called from any thread. Does not wait for user code, and calls none.
  package final var unfinishedActions: [UnfinishedAction<Action>]? { engine.unfinishedActions() }
}

/// An accepted action that has not ended.
package struct UnfinishedAction<Action: Sendable>: Sendable {
  /// The number of the action in `Execution`.
  package let id: UInt64
  package let action: Action
  /// Nil if the engine has not asked the view model for it yet.
  package let mode: ExecutionMode?
  /// Whether the streams have announced the action.
  package let hasStarted: Bool
}
