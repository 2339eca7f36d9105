extension ObservableType {
  /// Subscribes to the source, and disposes that subscription, on `scheduler`.
  ///
  ///     source                 --1--2--|
  ///     subscribe(on: busy)  ----1--2--|
  ///
  /// In the diagram a turn on the scheduler comes two units of time after it is requested.
  ///
  /// Events arrive on the source's threads; those that the source sends while it is being subscribed arrive on
  /// `scheduler`. A subscription that is disposed before its turn on the scheduler never reaches the source. A dispose
  /// stops the callbacks at once, and reaches the source on the scheduler.
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
          // The subscriber has ended it, and not on the scheduler: the source is disposed there.
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

  /// True if it has begun and has not ended before.
  @inlinable
  mutating func end(_ dropped: inout Observable<Element>?) -> Bool {
    let hasBegun = source == nil
    swap(&dropped, &source)
    defer { isOver = true }
    return hasBegun && !isOver
  }

  /// Whether the source may end at this event, after which the subscriber wants no more, without being disposed on the
  /// scheduler: at its terminal event, and while the scheduler is subscribing to it.
  @inlinable
  mutating func stops(at event: Event<Element>) -> Bool {
    if event.isTerminal { isOver = true }
    return event.isTerminal || thread != nil && thread == .current
  }
}
