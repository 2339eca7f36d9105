/// The executor of the tasks of `Observable.task` and `Observable.values(of:)`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
package enum ObservableTasks {
  /// The executor that tasks started in this context prefer; nil stands for the global executor.
  ///
  /// A `TestScheduler` binds this value around its work, so that an effect takes virtual time.
  @TaskLocal package static var executor: (any EffectExecutor)?
}

/// An executor that knows whether the tasks that it has begun wait for something that it can't run.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
package protocol EffectExecutor: TaskExecutor {
  /// The operation of a new task, which tells the executor when the task begins and ends.
  func watched(_ operation: @escaping @Sendable () async -> Void) -> @Sendable () async -> Void
}

/// A task that is counted while it awaits something that a test runs.
package protocol WaitingTask: AnyObject, Sendable {
  /// Begins a wait. Its child tasks may wait at the same time.
  ///
  /// - Parameter action: The action that it performs. Nil if it awaits something else.
  /// - Returns: Ends the wait.
  func beginWaiting(for action: (any Sendable)?) -> @Sendable () -> Void
}

/// What an executor in virtual time knows of the current context.
package enum EffectTasks {
  /// The action whose effect runs.
  @TaskLocal package static var action: EffectAction?
  /// The task that runs, or the one that has started it.
  @TaskLocal package static var current: (any WaitingTask)?
}

/// The action of an effect. A type of its own, as ``TapMaker``.
package struct EffectAction: Sendable {
  /// Returns the action, or nil once it has ended.
  package let unfinished: @Sendable () -> (any Sendable)?
}

/// Begins to await an action that runs in virtual time, if a view model on a `TestScheduler` performs it. Returns what ends the wait.
@usableFromInline
func beginWaiting(for action: any Sendable, _ isVirtual: Bool) -> (@Sendable () -> Void)? {
  isVirtual ? EffectTasks.current?.beginWaiting(for: action) : nil
}

/// Starts a task on the executor that the caller's context has bound.
@usableFromInline
func startTask(priority: TaskPriority?, _ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
  if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *), let executor = ObservableTasks.executor {
    return Task(executorPreference: executor, priority: priority, operation: executor.watched(operation))
  }
  return Task(priority: priority, operation: operation)
}
