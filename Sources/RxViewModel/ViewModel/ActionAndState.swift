/// An action with the very state that its mapper produced.
public struct ActionAndState<Action: Sendable, State: Sendable>: Sendable {
  public let action: Action
  public let state: State

  @inlinable
  public init(action: Action, state: State) {
    self.action = action
    self.state = state
  }
}

extension ActionAndState: Equatable where Action: Equatable, State: Equatable {}
