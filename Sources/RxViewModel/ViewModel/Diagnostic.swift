/// A probable mistake in the use of a view model: the argument of ``RxViewModel/RxViewModel/diagnose(_:)``.
public enum Diagnostic<Action: Sendable>: Sendable {
  /// An error that was lost: `handleError` returned false, neither error stream had a subscriber, and no `perform`
  /// throws it.
  ///
  /// The action is nil if the error does not belong to an action.
  case unheard(any Error, Action?)
  /// An action that was executed, by any form of `execute`, after ``RxViewModel/RxViewModel/clear()`` or in the `deinit` of
  /// the view model, which ignores it.
  case executedAfterClear(Action)
  /// An action of a feature that was embedded for a child that is absent: the action of the child, which changes nothing.
  case absentChild(any Sendable)
}

extension Diagnostic: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unheard(let error, let action?):
      "no subscriber of its error streams has heard that \(action) failed: \(error)"
    case .unheard(let error, nil): "no subscriber of its error streams has heard an error: \(error)"
    case .executedAfterClear(let action): "\(action) was executed after clear(), so that it does nothing"
    case .absentChild(let action): "\(action) was embedded for a child that is absent, so it does nothing"
    }
  }
}
