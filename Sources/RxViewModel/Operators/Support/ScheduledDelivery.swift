/// Delivers events on a scheduler, one at a time and in order, each as a piece of work of its own, so that other work
/// on the scheduler keeps its place between them.
@usableFromInline
final class ScheduledDelivery<Element: Sendable>: Closable {
  /// The events whose pieces of work have not run yet.
  @usableFromInline let waiting: Lock<Queue<Event<Element>>>
  /// Gets an event to deliver at once, or nil for the first event that waits. The handler takes that event out of
  /// `waiting`, so that events keep their order on a concurrent scheduler, where the pieces of work do not.
  @usableFromInline let serializer: EventSerializer<Event<Element>?>

  @usableFromInline let schedule: Continuation

  /// - Parameters:
  ///   - schedule: runs work on the scheduler.
  ///   - isImmediate: whether the scheduler runs it at once, on the stack of the thread that schedules.
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

  /// Delivers the event here if none waits for its piece of work. Nil if one does.
  @inlinable
  func deliverAtOnce(_ event: Event<Element>) -> Demand? {
    waiting.withLock { $0.isEmpty } ? serializer.send(event) : nil
  }

  /// The piece of work of an event.
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
