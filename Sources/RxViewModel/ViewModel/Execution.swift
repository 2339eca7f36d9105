/// A step in the life of one action.
public struct Execution<Action: Sendable, State: Sendable>: Sendable {
  /// `started`, `emitted` for each mapper, then exactly one of `completed`, `failed` and `cancelled`; or, for an action
  /// that never started, `cancelled` or `dropped` alone.
  public enum Phase: Sendable {
    /// The view model has been asked what it does.
    case started
    /// A mapper has been folded into this state.
    case emitted(State)
    /// With the state that the action's last mapper produced.
    case completed(State)
    /// Also where `handleError` took care of the error.
    case failed(any Error)
    /// Ended before its time: cancelled, superseded, or by a `CancellationError` of its effect.
    case cancelled
    /// The action was turned away: by its mode, or because its batch had broken.
    case dropped
  }

  /// The same in all steps of one action, unique in its view model, ascending in the order of acceptance.
  public let id: UInt64
  /// What was executed.
  public let action: Action
  /// The mode in which it runs.
  public let mode: ExecutionMode
  /// What has happened.
  public let phase: Phase

  @inlinable
  init(id: UInt64, action: Action, mode: ExecutionMode, phase: Phase) {
    self.id = id
    self.action = action
    self.mode = mode
    self.phase = phase
  }
}
