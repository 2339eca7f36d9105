/// A step in the life of one action.
public struct Execution<Action: Sendable, State: Sendable>: Sendable {
  /// `started`, `emitted` for each mapper, then exactly one of `completed`, `failed` and `cancelled`; or, for an action
  /// that never started, `cancelled` or `dropped` alone.
  public enum Phase: Sendable {
    case started
    /// A mapper has been folded into this state.
    case emitted(State)
    /// With the state that the action's last mapper produced.
    case completed(State)
    /// Also where `handleError` took care of the error.
    case failed(any Error)
    case cancelled
    /// The action was turned away: by its mode, or because its batch had broken.
    case dropped
  }

  /// The same in all steps of one action, unique in its view model, ascending in the order of acceptance.
  public let id: UInt64
  public let action: Action
  public let mode: ExecutionMode
  public let phase: Phase

  @inlinable
  init(id: UInt64, action: Action, mode: ExecutionMode, phase: Phase) {
    self.id = id
    self.action = action
    self.mode = mode
    self.phase = phase
  }
}
