extension Observable {
  /// Runs `operation` in a new `Task` per subscription and sends what it returns, then the completion.
  ///
  /// The events come on the task's thread. An error that `operation` throws ends the stream. Disposing cancels the task:
  /// after that nothing is delivered, a `CancellationError` neither.
  @inlinable
  public static func task(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Element
  ) -> Observable<Element> {
    create { observer in
      let task = Task(priority: priority) {
        do {
          observer.onNext(try await operation())
          observer.onCompleted()
        } catch {
          observer.onError(error)
        }
      }
      return Disposables.create { task.cancel() }
    }
  }
}
