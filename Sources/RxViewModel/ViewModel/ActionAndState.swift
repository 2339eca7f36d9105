/// An action with the state that its mapper produced.
public struct ActionAndState<Action: Sendable, State: Sendable>: Sendable {
  /// The action that was executed.
  public let action: Action
  /// The state that its mapper produced.
  public let state: State

  /// Makes a pair of an action and a state.
  @inlinable
  public init(action: Action, state: State) {
    self.action = action
    self.state = state
  }
}

extension ActionAndState: Equatable where Action: Equatable, State: Equatable {}
