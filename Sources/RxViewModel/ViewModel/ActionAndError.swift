/// An error with the action that failed.
public struct ActionAndError<Action: Sendable>: Sendable {
  /// Nil where the error is not an action's.
  public let action: Action?
  /// What went wrong.
  public let error: any Error
  @usableFromInline let retrying: (any Retrying)?

  /// A pair of the two, which retries nothing.
  @inlinable
  public init(action: Action?, error: any Error) {
    self.init(action: action, error: error, retrying: nil)
  }

  @usableFromInline
  init(action: Action?, error: any Error, retrying: (any Retrying)?) {
    self.action = action
    self.error = error
    self.retrying = retrying
  }

  /// Executes the action again, in the mode that it had: for a button beside the message.
  ///
  ///     viewModel.actionAndErrorObservable.bind { failure in
  ///       banner.show("\(failure.error)", onRetry: failure.retry)
  ///     }
  ///
  /// May be called from any thread. The action is executed once, however often this item and its copies are retried; a new failure is
  /// a new item of the stream. An action of a batch is executed alone. An action that was executed in a ``DisposeBag`` ends with the bag
  /// again, and is not executed when the bag has gone.
  ///
  /// Does nothing where the error is not an action's, after ``RxViewModel/RxViewModel/clear()``, and when the view model has gone. An
  /// item keeps neither the view model nor a state alive.
  public func retry() {
    retrying?.retry()
  }
}

/// What executes a failed action again.
@usableFromInline
protocol Retrying: AnyObject, Sendable {
  func retry()
}
