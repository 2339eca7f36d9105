extension RxViewModel {
  /// The accepted actions that have not ended, in the order of acceptance. None after ``clear()``. Nil while another thread takes a turn,
  /// because only that thread may read the modes.
  ///
  /// May be called from any thread. Does not wait for user code, and calls none. O(n log n).
  package final var unfinishedActions: [UnfinishedAction<Action>]? {
    engine.withBoth { shared, inbox in
      if shared.isClosed { return [] }
      guard inbox.driver == nil || inbox.isDrivenHere else { return nil }
      let runs = shared.all(&inbox).filter { !$0.stage.isOver && $0.stage != .following }
      return runs.map { UnfinishedAction(id: $0.id, action: $0.action, mode: $0.mode, hasStarted: $0.stage.isLoading) }
    }
  }
}

extension RxViewModel {
  /// The started action with this number. Nil if it has ended, or while another thread takes a turn. O(n).
  final func unfinishedAction(_ id: UInt64) -> (any Sendable)? {
    unfinishedActions?.first { $0.id == id && $0.hasStarted }?.action
  }
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
