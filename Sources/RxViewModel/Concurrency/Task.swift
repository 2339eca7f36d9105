extension Observable {
  /// Runs `operation` in a new `Task` for each subscription, and sends its result and the completion.
  ///
  /// The events come on the task's thread. If `operation` throws, the stream fails with that error. Disposing cancels the task: after that
  /// the subscriber gets nothing, not even a `CancellationError`.
  ///
  /// If something subscribes while a `TestScheduler` runs work, the task runs on that scheduler, in virtual time (on Apple platforms from
  /// macOS 15, iOS 18, tvOS 18 and watchOS 11 on).
  @inlinable
  public static func task(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Element
  ) -> Observable<Element> {
    sending(priority: priority) { observer in
      observer.onNext(try await operation())
    }
  }

  /// Runs `operation` in a new `Task` for each subscription, at the head of a chain that continues with another element type.
  ///
  ///     override func createObservable(_ action: Action) -> Effect {
  ///       .task { try await self.find(text) }.mutate { $0.results = $1 }
  ///     }
  ///
  /// It behaves like the form whose `operation` returns an element of the stream's own type.
  @inlinable
  @_disfavoredOverload
  public static func task<Result>(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Result
  ) -> Observable<Result> {
    .task(priority: priority, operation)
  }

  /// Iterates over an `AsyncSequence` in a new `Task` for each subscription, and sends its elements and the completion.
  ///
  /// The events come on the task's thread. The task asks for the next element after the subscriber has received the previous one. If the
  /// sequence throws, the stream fails with that error. Disposing cancels the task, even while it awaits the sequence, so the sequence can
  /// release its resources. After that the subscriber gets nothing, not even a `CancellationError`.
  ///
  /// If something subscribes while a `TestScheduler` runs work, the task runs on that scheduler, in virtual time (on Apple platforms from
  /// macOS 15, iOS 18, tvOS 18 and watchOS 11 on).
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

  /// A stream of the events that `body` sends from a task. The completion follows when `body` returns.
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
