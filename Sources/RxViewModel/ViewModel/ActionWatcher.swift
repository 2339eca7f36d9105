/// An object that follows an action: the property that has executed it, or the task that awaits it.
@usableFromInline
protocol ActionWatcher: AnyObject, Sendable {
  /// Called on the scheduler, after a state of the action has been delivered, unless that fold ends the action.
  func actionHasFolded(_ run: AnyObject)
  /// Called after the streams have announced the end, on the scheduler, or when the engine closes. The result is a ``Box``.
  func actionHasEnded(_ run: AnyObject, _ result: Result<AnyObject, any Error>)
}

/// The task that awaits an action in `perform`.
@usableFromInline
final class Awaiter<State: Sendable>: ActionWatcher {
  @usableFromInline let continuation = Lock<CheckedContinuation<Box<State>, any Error>?>(nil)

  @inlinable
  init() {}

  @usableFromInline
  func actionHasFolded(_ run: AnyObject) {}

  @usableFromInline
  func actionHasEnded(_ run: AnyObject, _ result: Result<AnyObject, any Error>) {
    continuation.withLock { $0.take() }?.resume(with: result.map { unsafeDowncast($0, to: Box<State>.self) })
  }
}

extension Engine {
  @inlinable
  func perform(_ action: Action, mode: ExecutionMode?, for viewModel: ViewModel) async throws -> Box<State> {
    let awaiter = Awaiter<State>()
    let run = ActionRun<Action, State>(action, mode: mode, sender: .watcher(awaiter))
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        awaiter.continuation.withLock { $0 = continuation }
        let turn = withBoth { _, inbox -> Turn in if case nil = run.outcome { inbox.accept(run) } else { .refused } }
        if !scheduleIfNeeded(turn) { awaiter.actionHasEnded(run, .failure(CancellationError())) }
      }
    } onCancel: {
      cancel([run], .task)
    }
  }
}
