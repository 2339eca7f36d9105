/// An object that follows an action: the property that has executed it, the task that awaits it, its batch, or the bag that cancels it.
@usableFromInline
protocol ActionWatcher: AnyObject, Sendable {
  /// Called on the scheduler, after a state of the action has been delivered, unless that fold ends the action.
  func actionHasFolded(_ run: AnyObject)
  /// Called after the streams have announced the end, on the scheduler, or when the engine closes. The result is a ``Box``.
  func actionHasEnded(_ run: AnyObject, _ result: Result<AnyObject, any Error>)
}

extension ActionWatcher {
  @usableFromInline
  func actionHasFolded(_ run: AnyObject) {}
}

/// What awaits an action: the task of `perform`, or the subscriber of `performDetached`.
@usableFromInline
final class Awaiter<State: Sendable>: ActionWatcher {
  @usableFromInline typealias Answer = @Sendable (Result<Box<State>, any Error>) -> Void

  /// Nil once the action has ended, or nothing awaits it any longer.
  @usableFromInline let answer = Lock<Answer?>(nil)

  @inlinable
  init() {}

  @usableFromInline
  var isWaiting: Bool { answer.withLock { $0 != nil } }

  @usableFromInline
  func actionHasEnded(_ run: AnyObject, _ result: Result<AnyObject, any Error>) {
    answer.withLock { $0.take() }?(result.map { unsafeDowncast($0, to: Box<State>.self) })
  }
}

extension Engine {
  @inlinable
  func perform(_ action: Action, mode: ExecutionMode?, for viewModel: ViewModel) async throws -> Box<State> {
    let awaiter = Awaiter<State>()
    let run = ActionRun<Action, State>(action, mode: mode, watcher: awaiter)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        accept(run, for: awaiter) { continuation.resume(with: $0) }
      }
    } onCancel: {
      cancel([run], .task)
    }
  }

  /// Accepts an action unless it has been cancelled, and calls `answer` at its end.
  @inlinable
  func accept(_ run: Run, for awaiter: Awaiter<State>, _ answer: @escaping Awaiter<State>.Answer) {
    awaiter.answer.withLock { $0 = answer }
    let turn = withBoth { _, inbox -> Turn in if case nil = run.outcome { inbox.accept(run) } else { .refused } }
    if !scheduleIfNeeded(turn) { awaiter.actionHasEnded(run, .failure(CancellationError())) }
  }
}
