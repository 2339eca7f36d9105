/// An error with the action that failed.
public struct ActionAndError<Action: Sendable>: Sendable {
  /// Nil where the error is not an action's.
  public let action: Action?
  /// What went wrong.
  public let error: any Error

  /// A pair of the two.
  @inlinable
  public init(action: Action?, error: any Error) {
    self.action = action
    self.error = error
  }
}
