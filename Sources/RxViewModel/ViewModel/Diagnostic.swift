/// What is probably a mistake in the use of a view model. ``RxViewModel/RxViewModel/diagnose(_:)`` is called with it.
public enum Diagnostic<Action: Sendable>: Sendable {
  /// An error that was lost: `handleError` left it, neither error stream had a subscriber, and no `perform` throws it.
  ///
  /// The action is nil where the error is not an action's.
  case unheard(any Error, Action?)
  /// An action that was executed, in any form of `execute`, after ``RxViewModel/RxViewModel/clear()``. The view model does nothing with it.
  case executedAfterClear(Action)
}

extension Diagnostic: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unheard(let error, let action?):
      "no subscriber of its error streams has heard that \(action) failed: \(error)"
    case .unheard(let error, nil): "no subscriber of its error streams has heard an error: \(error)"
    case .executedAfterClear(let action): "\(action) was executed after clear(), so that it does nothing"
    }
  }
}
