/// A probable mistake in the use of a view model: the argument of ``RxViewModel/RxViewModel/diagnose(_:)``.
public enum ViewModelDiagnostic<Action: Sendable>: Sendable {
  /// An error that nothing observed: `handleError` returned false, neither error stream had a subscriber, and no `perform` throws it.
  ///
  /// The action is nil if the error doesn't belong to an action.
  case unobservedError(any Error, Action?)
  /// An action that you executed, with any form of `execute`, after ``RxViewModel/RxViewModel/clear()`` or in the view model's `deinit`. The
  /// view model ignores it.
  case executedAfterClear(Action)
  /// An action for a child that is absent, at any level. The view model has dropped it.
  case absentChild(Action)
  /// An action that an effect executed through its ``FeatureContext`` after the effect's own action had completed or failed. The view model
  /// ignores it. For an output of a ``FeatureViewModel``, this is the effect's own action.
  case executedAfterEnd(Action)
  /// An action that a child executed through its ``FeatureContext``, but that is for another place, because `as` in `child(for:)` is wrong.
  /// The view model has dropped it.
  case misplacedChild(Action)
  /// An action with an optimistic update that doesn't end: a thousand later changes and mappers wait for it, and run again whenever something
  /// before them is taken back. A ``OptimisticUpdate/snapshot`` is for one request, and not for a stream.
  case undecided(Action)
  /// An event of live events that was dropped, because more events than their limit waited for a screen.
  case droppedEvent(any Sendable)
}

extension ViewModelDiagnostic: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unobservedError(let error, let action?):
      "\(action) failed, and no subscriber received its error: \(error)"
    case .unobservedError(let error, nil): "no subscriber received an error: \(error)"
    case .executedAfterClear(let action): "\(action) was executed after clear(), so it does nothing"
    case .absentChild(let action): "\(action) is for a child that is absent, so it does nothing"
    case .executedAfterEnd(let action):
      "\(action): an effect called execute or output after its own action had ended, so the call does nothing"
    case .misplacedChild(let action):
      "\(action) was executed by a child, but child(for:) puts it in another place, so it does nothing: check 'as' in child(for:)"
    case .undecided(let action):
      "\(action) has an optimistic update and doesn't end, so 1,000 later changes wait for its outcome"
    case .droppedEvent(let event): "too many events are waiting for a screen, so this one is dropped: \(event)"
    }
  }
}
