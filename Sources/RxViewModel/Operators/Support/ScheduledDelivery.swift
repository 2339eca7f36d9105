/// Delivers events on a scheduler, one at a time and in order. Each event is a piece of work of its own, so that other work on the
/// scheduler runs between the events in the order of scheduling.
@usableFromInline
final class ScheduledDelivery<Element: Sendable>: Closable {
  /// The events whose pieces of work have not run yet.
  @usableFromInline let waiting: Lock<Queue<Event<Element>>>
  /// An input is an event to deliver at once, or nil for the first waiting event. The handler removes that event from `waiting`. So events
  /// keep their order even on a concurrent scheduler, where the pieces of work do not.
  @usableFromInline let serializer: EventSerializer<Event<Element>?>

  @usableFromInline let schedule: Continuation

  /// - Parameters:
  ///   - schedule: Runs work on the scheduler.
  ///   - isImmediate: Whether the scheduler runs work at once, on the stack of the scheduling thread.
  @inlinable
  init(
    scheduledBy schedule: @escaping Continuation, isImmediate: Bool = false, _ sink: @escaping Observable<Element>.Sink
  ) {
    let waiting = Lock(Queue<Event<Element>>())
    self.waiting = waiting
    self.schedule = schedule
    serializer = EventSerializer(continuingBy: isImmediate ? continueOnGlobalQueue : schedule) { event in
      forward(event ?? waiting.withLock { $0.popFirst() }, to: sink)
    }
  }

  /// Schedules the event.
  @inlinable
  func enqueue(_ event: Event<Element>) -> Demand {
    waiting.withLock { $0.append(event) }
    guard serializer.isOpen else {
      dropWaiting()
      return .noMore
    }
    schedule { [self] in deliverNext() }
    return .pending
  }

  /// Delivers the event on the calling thread. Returns nil, and delivers nothing, if another event waits for its piece of work.
  @inlinable
  func deliverAtOnce(_ event: Event<Element>) -> Demand? {
    waiting.withLock { $0.isEmpty } ? serializer.send(event) : nil
  }

  /// Runs as the piece of work of an event.
  @inlinable
  func deliverNext() {
    let demand = serializer.send(nil)
    serializer.subscriptions?.dispose(unlessWanted: demand)
  }

  @inlinable
  func attach(_ subscriptions: CompositeDisposable) {
    serializer.attach(subscriptions)
  }

  @inlinable
  func close() {
    serializer.close()
    dropWaiting()
  }

  @inlinable
  func dropWaiting() {
    var dropped = Queue<Event<Element>>()
    waiting.withLock { swap(&dropped, &$0) }
  }
}
