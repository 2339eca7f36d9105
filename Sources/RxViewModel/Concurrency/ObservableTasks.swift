/// The executor of the tasks of `Observable.task` and `Observable.values(of:)`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
package enum ObservableTasks {
  /// The executor that tasks started in this context prefer; nil stands for the global executor.
  ///
  /// A `TestScheduler` binds this value around its work, so that an effect takes virtual time.
  @TaskLocal package static var executor: (any TaskExecutor)?
}

/// Starts a task on the executor that the caller's context has bound.
@usableFromInline
func startTask(priority: TaskPriority?, _ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
  if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *), let executor = ObservableTasks.executor {
    return Task(executorPreference: executor, priority: priority, operation: operation)
  }
  return Task(priority: priority, operation: operation)
}
