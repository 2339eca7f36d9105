extension Observable {
  /// Runs `operation` in a new `Task` per subscription and sends what it returns, then the completion.
  ///
  /// The events come on the task's thread. An error that `operation` throws ends the stream. Disposing cancels the
  /// task: after that nothing is delivered, a `CancellationError` neither. Subscribed while a `TestScheduler` is at
  /// work, the task runs on that scheduler, in virtual time.
  @inlinable
  public static func task(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Element
  ) -> Observable<Element> {
    sending(priority: priority) { observer in
      observer.onNext(try await operation())
    }
  }

  /// Runs `operation` in a new `Task` per subscription, at the head of a chain that goes on to another type.
  ///
  ///     override func createObservable(_ action: Action) -> Observable<StateMapper<State>> {
  ///       .task { try await self.find(text) }.mutate { $0.results = $1 }
  ///     }
  ///
  /// Behaves as the form whose `operation` returns an element of the stream's own type.
  @inlinable
  @_disfavoredOverload
  public static func task<Result>(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Result
  ) -> Observable<Result> {
    .task(priority: priority, operation)
  }

  /// Walks an `AsyncSequence` in a new `Task` per subscription and sends its elements, then the completion.
  ///
  /// The events come on the task's thread. An error that the sequence throws ends the stream. Disposing cancels the
  /// task: after that nothing is delivered, a `CancellationError` neither. The sequence is asked for one element at a
  /// time: for the next when the one before has been delivered, and after a dispose by a cancelled task, so that it can
  /// release what it holds. Subscribed while a `TestScheduler` is at work, the task runs on that scheduler, in virtual
  /// time.
  @inlinable
  public static func values<S: AsyncSequence & Sendable>(of sequence: S) -> Observable<Element>
  where S.Element == Element {
    sending(priority: nil) { observer in
      for try await element in sequence {
        if Task.isCancelled { return }
        observer.onNext(element)
      }
    }
  }

  /// A task that sends what it likes; the completion follows when it returns.
  @inlinable
  static func sending(
    priority: TaskPriority?, _ body: @escaping @Sendable (AnyObserver<Element>) async throws -> Void
  ) -> Observable<Element> {
    create { observer in
      let task = startTask(priority: priority) {
        do {
          try await body(observer)
          observer.onCompleted()
        } catch {
          observer.onError(error)
        }
      }
      return Disposables.create { task.cancel() }
    }
  }
}
