/// An error with the action that failed.
public struct ActionAndError<Action: Sendable>: Sendable {
  /// Nil where the error is not an action's.
  public let action: Action?
  public let error: any Error

  @inlinable
  public init(action: Action?, error: any Error) {
    self.action = action
    self.error = error
  }
}
