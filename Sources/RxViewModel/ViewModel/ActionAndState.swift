/// An action with the state that its mapper produced.
public struct ActionAndState<Action: Sendable, State: Sendable>: Sendable {
  /// The action that was executed.
  public let action: Action
  /// The state that its mapper produced.
  public let state: State

  @inlinable
  package init(action: Action, state: State) { (self.action, self.state) = (action, state) }
}

extension ActionAndState: Equatable where Action: Equatable, State: Equatable {}
