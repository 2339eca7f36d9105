/// An error with the action that failed.
public struct ActionAndError<Action: Sendable>: Sendable {
  /// The action that failed, or nil if the error does not belong to an action.
  public let action: Action?
  /// The error.
  public let error: any Error
  @usableFromInline let retrying: (any Retrying)?

  @usableFromInline
  init(action: Action?, error: any Error, retrying: (any Retrying)?) {
    self.action = action
    self.error = error
    self.retrying = retrying
  }

  /// Executes the failed action again, once, in the mode that it had: for a retry button.
  ///
  ///     viewModel.actionAndErrorObservable.bind { failure in
  ///       banner.show("\(failure.error)", onRetry: failure.retry)
  ///     }
  ///
  /// You can call it from any thread. However often you retry this item and its copies, the action is executed once. If it fails again, the
  /// stream emits a new item. An action of a batch is executed alone. An action that was executed in a ``DisposeBag`` ends with that bag
  /// again; it isn't executed if the bag has been released, or is the scope of a resume that has ended.
  ///
  /// Does nothing if the error doesn't belong to an action, after ``RxViewModel/RxViewModel/clear()`` or the release of the view model, and
  /// if the child that the action was for has been removed. A view model notices the removal while the child has an unfinished action, or
  /// its last failure; later it can tell the child from another one only by ``Feature/identity(of:)``. An item keeps neither the view model
  /// nor a state alive.
  public func retry() { retrying?.retry() }
}

/// Executes a failed action again.
@usableFromInline
protocol Retrying: AnyObject, Sendable {
  /// The instance of a child that the action belongs to, or nil if that is the view model.
  var instance: ChildInstance? { get }
  func retry()
}

/// A failed action that can be executed again (contract 2.15). It keeps neither the view model nor a state alive.
// Sendable: `isRetried` is guarded by the lock of the engine, all else is set in init only.
final class FailedAction<Action: Sendable, State: Sendable>: Retrying, @unchecked Sendable {
  private let action: Action
  /// Nil: the mode of the child, in lanes of the child's own.
  private let mode: ExecutionMode?
  /// The instance that the action belongs to, or nil if that is the view model.
  let instance: ChildInstance?
  private weak var engine: Engine<Action, State>?
  /// Whether the action ends with a bag.
  private let isScoped: Bool
  private weak var bag: DisposeBag?
  private var isRetried = false

  init(_ run: EngineRun<Action, State>, of engine: Engine<Action, State>) {
    action = run.action
    mode = run.owner.hasOwnLanes ? nil : run.mode!
    instance = run.owner.instance
    self.engine = engine
    let scope = run.watcher as? ActionScope<Action, State>
    (isScoped, bag) = (scope != nil, scope?.bag)
  }

  /// Executes the action again, unless this has been called before. Called on any thread.
  func retry() {
    // If the view model has been released, its engine is closed.
    guard let engine, engine.viewModel != nil else { return }
    let isFirst = engine.shared.withLock { shared -> Bool in
      if shared.isClosed || isRetried || instance?.isOver == true { return false }
      isRetried = true
      return true
    }
    if !isFirst { return }
    if isScoped {
      if let bag { _ = engine.accept(action, mode, in: bag, again: instance) }
    } else {
      let run = ActionRun<Action, State>(action, mode: mode)
      engine.scheduleIfNeeded(engine.shared.withLock { _ in engine.accept(run, of: instance, isRetry: true) })
    }
  }
}
