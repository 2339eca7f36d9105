extension ObservableType {
  /// Subscribes to a failed source again when a trigger, the stream that `handler` returns, sends an element.
  ///
  ///     source                  --1--#
  ///     source                         --1--|
  ///     retry(when: delay(2–))  --1------1--|
  ///
  /// Calls `handler` once for each subscription, with the stream of the source's errors. Subscribes to the trigger before it subscribes to
  /// the source. In the diagram the trigger is `errors.delay(…)`.
  ///
  /// Subscribes again on the thread of the trigger's element, without recursion. An element that arrives while the source is active does
  /// nothing. When the trigger ends, with an error or a completion, the stream ends in the same way: at once if the source has failed,
  /// otherwise when it fails next. An error that `handler` throws ends the stream at once.
  ///
  /// ```swift
  /// rates.retry(when: { errors in errors.flatMapLatest { _ in isOnline.filter { $0 } } })
  /// ```
  @inlinable
  public func retry<Trigger: ObservableType>(
    when handler: @escaping @Sendable (Observable<any Error>) throws -> Trigger
  ) -> Observable<Element> {
    .composing(asObservable()) { source, sink in
      let (errors, failure) = (PublishSubject<any Error>(), Lock(RetryTrigger<Element>()))
      let trigger: Observable<Trigger.Element>
      do {
        trigger = try handler(errors.asObservable()).asObservable()
      } catch {
        _ = forward(.error(error), to: sink)
        return .done(NopDisposable.shared)
      }
      let serializer = EventSerializer<Event<Element>> { forward($0, to: sink) }
      let subscriptions = CompositeDisposable(closing: serializer)
      subscriptions.add(
        trigger.connect { event in
          switch event {
          case .next: failure.withLock { $0.takeWaiting() }?.resubscribe()
          case .error(let error): RetryTrigger.end(with: .error(error), failure)
          case .completed: RetryTrigger.end(with: .completed, failure)
          }
          return .more
        })
      subscriptions.add(Disposables.create { _ = failure.withLock { $0.takeWaiting() } })
      let attempts = Resubscription(source: source, serializer: serializer, subscriptions: subscriptions) {
        end, attempts in
        guard case .error(let error) = end else { return false }
        if let end = failure.withLock({ $0.wait(attempts) }) {
          _ = attempts.send(end)
        } else {
          errors.onNext(error)
          // Another thread may have disposed the subscription before the failure was stored.
          if !attempts.subscriptions.isOpen { _ = failure.withLock { $0.takeWaiting() } }
        }
        return true
      }
      return attempts.starting()
    }
  }
}

/// The failed attempt that waits for the trigger of `retry(when:)`, and the end of the trigger.
///
/// The trigger refers to the source only through the waiting failure. Otherwise the stream of errors, which retains the trigger, and the
/// source would retain each other while the source is active.
@usableFromInline
struct RetryTrigger<Element: Sendable> {
  @usableFromInline var waiting: Resubscription<Element>?
  /// The terminal event of the trigger.
  @usableFromInline var end: Event<Element>?

  @inlinable
  init() {}

  /// Stores a failure that waits for the trigger. Returns the trigger's terminal event if the trigger has ended.
  @inlinable
  mutating func wait(_ failed: Resubscription<Element>) -> Event<Element>? {
    if end == nil { waiting = failed }
    return end
  }

  @inlinable
  mutating func takeWaiting() -> Resubscription<Element>? {
    waiting.take()
  }

  @inlinable
  static func end(with end: Event<Element>, _ trigger: Lock<RetryTrigger>) {
    let waiting = trigger.withLock { trigger in
      trigger.end = end
      return trigger.takeWaiting()
    }
    _ = waiting?.send(end)
  }
}
