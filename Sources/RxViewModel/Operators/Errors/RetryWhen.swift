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
  /// A trigger that sends at once makes the next attempt at once. Give it a pause, so that a source that fails at once does not keep a
  /// thread busy:
  ///
  /// ```swift
  /// rates.retry(when: { errors in
  ///   errors.delay(.seconds(1), scheduler: queue).flatMapLatest { _ in isOnline.filter { $0 } }
  /// })
  /// ```
  @inlinable
  public func retry<Trigger: ObservableType>(
    when handler: @escaping @Sendable (Observable<any Error>) throws -> Trigger
  ) -> Observable<Element> {
    let source = asObservable()
    // Neither template: the source is subscribed again and again, and the trigger decides when.
    return Observable { sink, scope in
      let (errors, state) = (PublishSubject<any Error>(), Guarded(RetryTrigger<Element>(), in: scope))
      let trigger: Observable<Trigger.Element>
      do {
        trigger = try handler(errors.asObservable()).asObservable()
      } catch {
        _ = sink(.error(error))
        return
      }
      scope.add(Disposables.create { [weak state] in _ = state?.withLock { $0.takeFailure() } })
      let finish: @Sendable (Event<Element>) -> Void = { end in
        // A trigger that has ended releases its subscriber, and the next failure still asks for this end.
        scope.add(Disposables.create { withExtendedLifetime(state) {} })
        if state.withLock({ $0.end(with: end) }) != nil { _ = sink(end) }
      }
      scope.connect(source: trigger) { event in
        switch event {
        case .next: state.withLock { $0.triggered() }?()
        case .error(let error): finish(.error(error))
        case .completed: finish(.completed)
        }
        return .more
      }
      // The trigger owns the state, and with it the failure that waits. If the trigger is released, no attempt follows.
      Attempts<Element>(in: scope, sink) { [weak state] end, attempts, failed in
        guard case .error(let error) = end else { return .pass }
        guard let state else { return .wait }
        let retry: @Sendable () -> Void = { attempts.goOn(after: failed, with: source) }
        if let end = state.withLock({ $0.fail(retry, isOpen: !scope.isClosed) }) {
          _ = sink(end)
          return .wait
        }
        errors.onNext(error)
        return state.withLock { $0.hasSentError() } ? .subscribe(source) : .wait
      }.run(source)
    }
  }
}

/// The failed attempt that waits for the trigger of `retry(when:)`, and the end of the trigger.
///
/// The trigger refers to the source only through the waiting failure. Otherwise the stream of errors, which retains the trigger, and the
/// source would retain each other while the source is active.
@usableFromInline
struct RetryTrigger<Element: Sendable> {
  /// Makes the next attempt.
  @usableFromInline typealias Retry = @Sendable () -> Void

  /// The failure that the trigger has yet to answer, with the call that sends its error to the trigger. Nil while an attempt is running.
  @usableFromInline var failure: (sending: CallStatus<Void>, retry: Retry)?
  /// The terminal event of the trigger.
  @usableFromInline var end: Event<Element>?

  @inlinable
  init() {}

  /// Stores a failure, unless the subscription has been disposed. Returns the trigger's terminal event if the trigger has ended.
  @inlinable
  mutating func fail(_ retry: @escaping Retry, isOpen: Bool) -> Event<Element>? {
    if end == nil, isOpen { failure = (.inside, retry) }
    return end
  }

  /// Called when the error has been sent. Returns true if the trigger has sent an element meanwhile, so that the caller makes the next
  /// attempt.
  @inlinable
  mutating func hasSentError() -> Bool {
    if failure?.sending.hasReturned() == nil { return false }
    failure = nil
    return true
  }

  /// Called at an element of the trigger. Returns the failure if the caller makes the next attempt.
  @inlinable
  mutating func triggered() -> Retry? {
    failure?.sending.end(with: ()) == true ? takeFailure() : nil
  }

  /// Returns the failure that waits for the trigger.
  @inlinable
  mutating func takeFailure() -> Retry? {
    defer { failure = nil }
    return failure?.retry
  }

  /// Called at the end of the trigger. Returns the failure that waits: the subscriber gets the end now.
  @inlinable
  mutating func end(with end: Event<Element>) -> Retry? {
    self.end = end
    // The trigger has sent an element before its end, so one more attempt follows.
    if case .ended? = failure?.sending { return nil }
    return takeFailure()
  }
}
