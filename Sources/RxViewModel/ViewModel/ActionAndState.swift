/// An action with the very state that its mapper produced.
public struct ActionAndState<Action: Sendable, State: Sendable>: Sendable {
  /// What was executed.
  public let action: Action
  /// What its mapper made.
  public let state: State

  /// A pair of the two.
  @inlinable
  public init(action: Action, state: State) {
    self.action = action
    self.state = state
  }
}

extension ActionAndState: Equatable where Action: Equatable, State: Equatable {}
