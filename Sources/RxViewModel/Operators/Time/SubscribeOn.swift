extension ObservableType {
  /// Subscribes to the source, and disposes that subscription, on `scheduler`.
  ///
  ///     source                 --1--2--|
  ///     subscribe(on: busy)  ----1--2--|
  ///
  /// In the diagram a turn on the scheduler comes two units of time after it is requested.
  ///
  /// Events arrive on the source's threads. Events that the source sends inside `subscribe` arrive on `scheduler`. If the subscription is
  /// disposed before the scheduler has run it, the operator never subscribes to the source. A dispose stops the callbacks at once, and the
  /// operator disposes the source's subscription on the scheduler.
  @inlinable
  public func subscribe(on scheduler: any Scheduler) -> Observable<Element> {
    let scheduler = scheduler.reference
    return .composing(asObservable()) { source, sink in
      let serializer = EventSerializer<Event<Element>> { forward($0, to: sink) }
      let (subscriptions, upstream) = (CompositeDisposable(closing: serializer), SerialDisposable())
      let turn = Lock(SubscriptionTurn(source: source))
      let end: @Sendable () -> Void = {
        var dropped: Observable<Element>?
        if turn.withLock({ $0.end(&dropped) }) { scheduler.schedule { upstream.dispose() } }
      }
      subscriptions.add(Disposables.create(end))
      scheduler.schedule {
        guard let source = turn.withLock({ $0.begin() }) else { return }
        let subscription = source.connect { event in
          let demand = serializer.send(event)
          if demand != .noMore || turn.withLock({ $0.stops(at: event) }) { return demand }
          // The subscriber has ended the subscription on another thread, so the source is disposed on the scheduler.
          end()
          return .pending
        }
        upstream.replace(with: subscription)
        turn.withLock { $0.thread = nil }
      }
      return .done(subscriptions)
    }
  }
}

/// The progress of one subscription to `subscribe(on:)`.
@usableFromInline
struct SubscriptionTurn<Element: Sendable> {
  /// Nil once the scheduler has subscribed to it, or once the subscription has been disposed.
  @usableFromInline var source: Observable<Element>?
  @usableFromInline var isOver = false
  /// The thread that is subscribing to the source.
  @usableFromInline var thread: ThreadID?

  @inlinable
  init(source: Observable<Element>) {
    self.source = source
  }

  @inlinable
  mutating func begin() -> Observable<Element>? {
    if source != nil { thread = .current }
    return source.take()
  }

  /// Returns true if the subscription to the source has begun and had not ended before.
  @inlinable
  mutating func end(_ dropped: inout Observable<Element>?) -> Bool {
    let hasBegun = source == nil
    swap(&dropped, &source)
    defer { isOver = true }
    return hasBegun && !isOver
  }

  /// Called at an event after which the subscriber wants no more. Returns true if the source may stop without a dispose on the scheduler:
  /// at its terminal event, and while the scheduler is subscribing to it.
  @inlinable
  mutating func stops(at event: Event<Element>) -> Bool {
    if event.isTerminal { isOver = true }
    return event.isTerminal || thread != nil && thread == .current
  }
}
