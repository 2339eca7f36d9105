/// Where the tasks of `Observable.task` and `Observable.values(of:)` run.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
package enum ObservableTasks {
  /// The executor that tasks prefer which are started from here; nil stands for the global one.
  ///
  /// A `TestScheduler` binds it around its work, so that what an effect does takes virtual time.
  @TaskLocal package static var executor: (any TaskExecutor)?
}

/// Starts a task on the executor that is bound where it is called.
@usableFromInline
func startTask(priority: TaskPriority?, _ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
  if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *), let executor = ObservableTasks.executor {
    return Task(executorPreference: executor, priority: priority, operation: operation)
  }
  return Task(priority: priority, operation: operation)
}
